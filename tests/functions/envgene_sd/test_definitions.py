"""Application and Registry Definitions, and the addresses that they lead to."""

from __future__ import annotations

import pytest

from krm_values.envgene_sd.repository import fetch
from krm_values.envgene_sd.repository.files import FaultsError

HOME = "east/prod-7"
APPLICATION = {"name": "suite", "registryName": "central", "artifactId": "descriptor", "groupId": "org.sample"}
MAVEN = {"repositoryDomainName": "https://maven.test", "targetRelease": "rel"}


def text(data):
    return "".join(f"{key}: {value!r}\n" if not isinstance(value, dict) else f"{key}: {value}\n" for key, value in data.items())


@pytest.fixture
def lay(tmp_path):
    def write(application=(), registry=(), maven=()):
        files = {
            "appdefs/suite.yml": text({**APPLICATION, **dict(application)}),
            "regdefs/central.yml": text({"name": "central", **dict(registry), "mavenConfig": {**MAVEN, **dict(maven)}}),
        }
        for path, content in files.items():
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_text(content)
        return tmp_path

    return write


def registry(root):
    return fetch.registry(root, fetch.application(root, "suite", HOME), HOME)


def addresses(root, version="1.4.0"):
    application = fetch.application(root, "suite", HOME)
    return list(fetch.addresses(application, fetch.registry(root, application, HOME), version))


def refused(call, *arguments):
    with pytest.raises(FaultsError) as caught:
        call(*arguments)
    return caught.value.findings[0].rule, str(caught.value)


@pytest.mark.parametrize(
    ("maven", "base"),
    [
        ({"repositoryDomainName": "http://a.test/"}, "http://a.test"),
        ({"repositoryDomainName": "a.test/maven//"}, "https://a.test/maven"),
        ({"repositoryDomainName": "", "fullRepositoryUrl": "http://b.test/x"}, "http://b.test/x"),
        ({"repositoryDomainName": "http://a.test:8081", "fullRepositoryUrl": "http://b.test"}, "http://a.test:8081"),
    ],
)
def test_the_base_address(lay, maven, base):
    assert registry(lay(maven=maven)).base == base


FORMS = [
    "",
    "ftp://a.test",
    "http://",
    "http://a.test:x",
    "http://a.test?x=1",
    "a b.test",
    "http://a.test#x",
    "http://a.test:0",
]
FORMS += [
    "http://a.test:99999",
    "http://[::1",
    "http://[::1:99999/",
    "http://[::1]x",
    "http://[zz]",
    "http://a.test\\b",
    "a%2e",
]


@pytest.mark.parametrize("address", FORMS)
def test_an_address_that_cannot_be_asked(lay, address):
    assert refused(registry, lay(maven={"repositoryDomainName": address}))[0] == "90"


def test_a_user_in_an_address_is_refused_and_not_shown(lay):
    rule, message = refused(registry, lay(maven={"repositoryDomainName": "http://sam:s3cret@a.test"}))
    assert rule == "90"
    assert "s3cret" not in message


def test_repositories_are_searched_in_a_fixed_order_each_once(lay):
    keys = ("releaseGroup", "snapshotGroup", "targetRelease", "targetStaging", "targetSnapshot")
    root = lay(maven=dict(zip(keys, ("e", "d", "c", "d", "a"), strict=True)))
    assert registry(root).repositories == ("a", "d", "c", "e")


def test_repositories_stand_outside_and_folders_inside(lay):
    root = lay(maven={"targetSnapshot": "snap"})
    base = "https://maven.test"
    path = "org/sample/descriptor/{}/descriptor-1.5-20250310.081500-4.json"
    found = addresses(root, "1.5-20250310.081500-4")
    folders = ("1.5-SNAPSHOT", "1.5-20250310.081500-4")
    assert found == [f"{base}/{repository}/{path.format(folder)}" for repository in ("snap", "rel") for folder in folders]


@pytest.mark.parametrize(
    "version", ["1.4.0", "1.5-20250310.08150-4", "1.5-2025031.081500-4", "1.5-20250310.081500", "1.5-20250310.081500-4-x"]
)
def test_other_versions_have_one_folder(version):
    assert fetch.folders(version) == (version,)


def test_names_are_percent_encoded(lay):
    root = lay(application={"artifactId": "a b%c", "groupId": "org.sämple"}, maven={"targetRelease": "r?x"})
    assert addresses(root, "1+2:3") == ["https://maven.test/r%3Fx/org/s%C3%A4mple/a%20b%25c/1%2B2%3A3/a%20b%25c-1%2B2%3A3.json"]


@pytest.mark.parametrize(
    ("place", "value", "rule"),
    [
        ("artifactId", "a/b", "92"),
        ("artifactId", "..", "92"),
        ("artifactId", "a..b", "92"),
        ("artifactId", "a\x07", "92"),
        ("groupId", "org..sample", "92"),
        ("groupId", "org.\x7f", "92"),
        ("registryName", "../central", "88"),
        ("registryName", "..", "88"),
        ("targetRelease", "a/b", "92"),
        ("targetRelease", "..", "92"),
        ("groupId", "", "87"),
    ],
)
def test_what_would_leave_its_place_is_refused(lay, place, value, rule):
    root = lay(maven={place: value}) if place == "targetRelease" else lay(application={place: value})
    (root / "appdefs/suite.yml").write_text(
        (root / "appdefs/suite.yml").read_text().replace("'a\\x07'", '"a\\a"').replace("'org.\\x7f'", '"org.\\x7f"')
    )
    assert refused(registry, root)[0] == rule


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        ("suite", "17"),
        (":1", "17"),
        ("suite:", "17"),
        ("suite:1-SNAPSHOT", "18"),
        ("suite:1/2", "92"),
        ("suite:..", "92"),
        ("suite:1..2", "92"),
        ("suite:1\x002", "92"),
    ],
)
def test_an_entry_that_is_not_fetched(entry, rule):
    assert refused(fetch.entry, entry)[0] == rule


@pytest.mark.parametrize("name", ["../suite", "a/b", "..", ".", "", "a\nb"])
def test_an_application_is_one_path_segment(lay, name):
    assert refused(fetch.application, lay(), name, HOME)[0] == "86"


@pytest.mark.parametrize(
    ("own", "maven", "field"),
    [
        ('credentialsId: "read\\ner"', "", "credentialsId"),
        ("version: '2.0'", 'authConfig: "a\\eb"', "mavenConfig.authConfig"),
        ('authConfig: {m: {authMethod: user_pass, credentialsId: "read\\ner"}}', "authConfig: m", "authConfig.m.credentialsId"),
        ('authConfig: {m: {authMethod: "us\\ner"}}', "authConfig: m", "authConfig.m.authMethod"),
    ],
)
def test_a_name_with_line_breaks_is_refused(lay, own, maven, field):
    root = lay()
    (root / "regdefs/central.yml").write_text(f"{own}\nmavenConfig:\n  repositoryDomainName: https://a.test\n  {maven}\n")
    rule, message = refused(registry, root)
    assert rule == "95"
    assert f"`{field}` must hold neither line breaks nor other control characters" in message
    assert message.isprintable()


BLOCKS = {"authConfig": {"maven": {"provider": "nexus", "authMethod": "user_pass", "credentialsId": "reader"}}}


@pytest.mark.parametrize(
    ("own", "maven", "credential"),
    [
        ({}, {}, ""),
        ({"credentialsId": "reader"}, {}, "reader"),
        ({"version": "2.0", "credentialsId": "old"}, {}, ""),
        (BLOCKS, {"authConfig": "maven"}, "reader"),
        (BLOCKS, {}, ""),
        ({"authConfig": {"maven": {"authMethod": "anonymous", "credentialsId": "reader"}}}, {"authConfig": "maven"}, ""),
    ],
    ids=["v1 anonymous", "v1", "v2 anonymous", "v2", "v2 without a block", "v2 anonymous block"],
)
def test_whose_credential(lay, own, maven, credential):
    assert registry(lay(registry=own, maven=maven)).credential == credential


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ({"provider": "aws", "authMethod": "assume_role", "credentialsId": "x"}, '"assume_role"'),
        ({"provider": "nexus", "authMethod": "user_pass"}, "must be given"),
    ],
)
def test_a_way_to_log_in_that_is_not_known(lay, block, words):
    rule, message = refused(registry, lay(registry={"authConfig": {"maven": block}}, maven={"authConfig": "maven"}))
    assert rule == "95"
    assert words in message


def test_without_an_environment_only_root_definitions_count(lay):
    root = lay()
    own = root / "environments" / HOME / "AppDefs"
    own.mkdir(parents=True)
    (root / "appdefs/suite.yml").rename(own / "suite.yml")
    assert fetch.wanted(root, ["suite:1"], [HOME])[0].environment == HOME
    rule, message = refused(fetch.wanted, root, ["suite:1"], [""])
    assert rule == "86"
    assert "appdefs/suite.yml" in message


def test_what_the_root_defines_is_wanted_once_for_all_environments(lay):
    found = fetch.wanted(lay(), ["suite:1", "suite:2", "suite:1"], [HOME, "west/dev-1"])
    assert [(each.entry.text, each.environment) for each in found] == [("suite:1", ""), ("suite:2", "")]


def test_all_that_is_wrong_is_told_at_once(lay):
    with pytest.raises(FaultsError) as caught:
        fetch.wanted(lay(), ["suite:1", "other:1", "suite:2-SNAPSHOT"], [HOME])
    assert sorted(str(finding.rule) for finding in caught.value.findings) == ["18", "86"]
