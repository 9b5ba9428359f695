# docker build . needs network, unless build/wheels holds the wheels for the base image's Python: `make image` puts them there and builds
# without network; `make release` takes only a base image that is named by its digest. See docs/images.md.
ARG BASE_IMAGE=python:3.13-slim

FROM ${BASE_IMAGE} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
# a pattern need not match if something else is copied; of build, the context holds only the wheels that `make image` made
COPY requirements buil[d] /given/
# a base that is named by the digest of one processor is taken for every platform: buildx would label that image as one of another processor
ARG TARGETARCH
RUN machine=$(python3 -c 'import platform; print(platform.machine())') \
 && case "$TARGETARCH $machine" in \
        "amd64 x86_64" | "arm64 aarch64") ;; \
        "amd64 "* | "arm64 "*) \
            echo "error: the base image is for $machine, not for $TARGETARCH: give the digest of the index of all its platforms" >&2; exit 1 ;; \
    esac
RUN python3 -m venv /build && python3 -m venv /opt/krm-values \
 && if ls /given/wheels/*.whl >/dev/null 2>&1; then \
        local='--no-index --find-links /given/wheels' && hint='build/wheels is old or for another Python: remove it, or run make image'; \
    else \
        local='' && hint='docker build needs network here; without it, or behind a proxy, run make image, which fetches the wheels outside'; \
    fi \
 && { /build/bin/python -m pip install $local --require-hashes --requirement /given/build.txt \
      && /opt/krm-values/bin/python -m pip install $local --require-hashes --requirement /given/image.txt \
      || { echo "error: $hint" >&2; exit 1; }; }
COPY pyproject.toml README.md LICENSE /source/
COPY functions /source/functions
RUN /build/bin/python -m pip wheel --no-index --no-deps --no-build-isolation --wheel-dir /own /source \
 && /opt/krm-values/bin/python -m pip install --no-index --no-deps /own/krm_values-*.whl \
 && /opt/krm-values/bin/python -m pip check \
 && /opt/krm-values/bin/python -m pip uninstall --quiet --yes setuptools pip \
 && /opt/krm-values/bin/python -m compileall -q /opt/krm-values/lib

FROM ${BASE_IMAGE}
# python:*-slim comes with pip, and without the standard library's .pyc files: a read-only container would compile it at each start
RUN if python3 -m pip --version >/dev/null 2>&1; then python3 -m pip uninstall --quiet --yes --root-user-action ignore setuptools wheel pip; fi \
 && python3 -m compileall -q -x '/(test|tests|lib2to3)/' "$(python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')" \
 && { grep -q '^nobody:' /etc/passwd || echo 'nobody:x:65534:65534:nobody:/nonexistent:/bin/false' >> /etc/passwd; }
COPY --from=build /opt/krm-values /opt/krm-values
ENV PATH=/opt/krm-values/bin:$PATH
USER 65534:65534
WORKDIR /tmp
ENTRYPOINT ["krm-values"]
CMD ["run"]
# What differs between the images of functions comes last, so that they share all layers. kpt and kustomize pass no arguments: FUNCTION says
# which one this image is, else the functionConfig does. `make images` gives the others.
ARG FUNCTION=""
ARG DESCRIPTION="Resolve layered Kubernetes values before apply, as KRM functions, and say where every value came from"
ARG VERSION=""
ARG REVISION=""
ARG SOURCE=""
ARG DOCUMENTATION=""
ENV KRM_FUNCTION=${FUNCTION}
LABEL org.opencontainers.image.title="${FUNCTION:-krm-values}" \
      org.opencontainers.image.description="${DESCRIPTION}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.documentation="${DOCUMENTATION}" \
      org.opencontainers.image.licenses="Apache-2.0"
