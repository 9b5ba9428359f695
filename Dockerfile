# `make image` puts the wheels for the base image's Python into build/wheels and then builds this, without network;
# `make release` takes only a base image that is named by its digest.
ARG BASE_IMAGE=python:3.13-slim

FROM ${BASE_IMAGE} AS build
COPY build/wheels /wheels
RUN python3 -m venv /opt/krm-values \
 && /opt/krm-values/bin/python -m pip install --no-cache-dir --no-index --find-links /wheels --require-hashes --requirement /wheels/image.txt \
 && /opt/krm-values/bin/python -m pip install --no-cache-dir --no-index --no-deps /wheels/krm_values-*.whl \
 && /opt/krm-values/bin/python -m pip check \
 && /opt/krm-values/bin/python -m pip uninstall --quiet --yes setuptools pip \
 && /opt/krm-values/bin/python -m compileall -q /opt/krm-values/lib \
 && /opt/krm-values/bin/python -I -m krm_values._kit.process.start /opt/krm-values/bin/krm-values

FROM ${BASE_IMAGE}
COPY --from=build /opt/krm-values /opt/krm-values
# python:*-slim comes without the standard library's .pyc files, and a read-only container would compile it at each start
RUN python3 -m compileall -q -x '/(test|tests|lib2to3)/' "$(python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')" \
 && { grep -q '^nobody:' /etc/passwd || echo 'nobody:x:65534:65534:nobody:/nonexistent:/bin/false' >> /etc/passwd; }
ENV PATH=/opt/krm-values/bin:$PATH
# kpt and kustomize pass no arguments: FUNCTION says which one this image is, else the functionConfig's kind does
ARG FUNCTION=""
ENV KRM_FUNCTION=${FUNCTION}
USER 65534:65534
WORKDIR /tmp
ENTRYPOINT ["krm-values", "run"]
