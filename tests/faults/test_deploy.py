"""What deploy/ says of ports, paths, names and variables agrees with itself, the app and the README."""

import re
import shlex

import pytest
import yaml

import app
from core.lesson import sessions
from core.workers.pool import SCHEDULER
from tests.browser.conftest import ROOT

README = (ROOT / "README.md").read_text()
DOCKER = (ROOT / "deploy" / "Dockerfile").read_text()
NGINX = (ROOT / "deploy" / "nginx.conf").read_text()
COMPOSE = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())
CLUSTER = {
    each["kind"]: each for each in yaml.safe_load_all((ROOT / "deploy" / "kubernetes.yaml").read_text())
}
POD = CLUSTER["Deployment"]["spec"]["template"]["spec"]
CONTAINER = POD["containers"][0]
PORT = int(re.search(r"^EXPOSE (\d+)$", DOCKER, re.M)[1])
SERVERS = {
    name: each
    for name, each in COMPOSE["services"].items()
    if name.startswith("attend") or "profiles" in each
}
WORKER = "distributed.cli.dask_worker"


def test_every_file_that_the_container_takes_is_there():
    taken = [name for line in re.findall(r"^COPY (.+)$", DOCKER, re.M) for name in line.split()[:-1]]
    assert {"app.py", "core", "pages", "assets", ".streamlit"} <= set(taken)
    assert [name for name in taken if not (ROOT / name).exists()] == []
    ignored = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text().splitlines()
    assert {".git", ".venv", "**/__pycache__"} <= set(ignored)
    assert not set(taken) & set(ignored)
    assert (ROOT / COMPOSE["services"]["attend-1"]["build"]["args"]["CLUSTER"]).exists()


def test_one_port_from_the_program_to_the_door():
    command = re.search(r"^CMD (\[.+\])$", DOCKER, re.M)[1]
    assert yaml.safe_load(command)[:3] == ["streamlit", "run", "app.py"]
    assert f'"--server.port", "{PORT}"' in command
    assert f"localhost:{PORT}/ready" in DOCKER
    assert set(re.findall(r"server (\S+):(\d+) ", NGINX)) == {
        ("attend-1", str(PORT)),
        ("attend-2", str(PORT)),
    }
    door = re.search(r"listen (\d+);", NGINX)[1]
    assert COMPOSE["services"]["nginx"]["ports"] == [f"{door}:{door}"]
    assert [each["containerPort"] for each in CONTAINER["ports"]] == [PORT]
    assert CLUSTER["Service"]["spec"]["ports"][0]["targetPort"] == PORT
    probes = CONTAINER["readinessProbe"]["httpGet"], CONTAINER["livenessProbe"]["httpGet"]
    assert [(probe["path"], probe["port"]) for probe in probes] == [
        ("/ready", PORT),
        ("/_stcore/health", PORT),
    ]
    routes = {getattr(route, "path", "") for route in app.app._user_routes}
    assert "/ready" in routes


def test_the_parts_of_a_cluster_name_one_another():
    labels = CLUSTER["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert CLUSTER["Deployment"]["spec"]["selector"]["matchLabels"] == labels
    assert CLUSTER["Service"]["spec"]["selector"] == labels
    rule = CLUSTER["Ingress"]["spec"]["rules"][0]
    service = rule["http"]["paths"][0]["backend"]["service"]
    assert service["name"] == CLUSTER["Service"]["metadata"]["name"]
    assert service["port"]["number"] == CLUSTER["Service"]["spec"]["ports"][0]["port"]
    assert {"name": app.HOSTS, "value": rule["host"]} in CONTAINER["env"]
    mounted, volumes = CONTAINER["volumeMounts"], POD["volumes"]
    assert [each["name"] for each in mounted] == [each["name"] for each in volumes]


def test_one_image_and_the_variables_that_the_server_reads():
    assert {each["image"] for each in SERVERS.values()} == {CONTAINER["image"]}
    assert all(set(each["environment"]) == {app.HOSTS, SCHEDULER} for each in SERVERS.values())
    assert SCHEDULER in README and app.HOSTS in README
    assert SCHEDULER in (ROOT / "deploy" / "kubernetes.yaml").read_text()


def test_the_workers_are_started_as_the_readme_says_and_find_the_scheduler():
    scheduler, worker = (COMPOSE["services"][name]["command"] for name in ("scheduler", "worker"))
    port = scheduler[scheduler.index("--port") + 1]
    assert f"tcp://scheduler:{port}" in worker
    assert f"{SCHEDULER}=tcp://scheduler:{port}" in (ROOT / "deploy" / "compose.yaml").read_text()
    said = next(line for line in README.splitlines() if WORKER in line)
    options = shlex.split(said.split(WORKER)[1])[1:]
    assert options == worker[4 : 4 + len(options)]
    assert options[options.index("--memory-limit") + 1] == "0"
    assert all(COMPOSE["services"][name]["profiles"] == ["dask"] for name in ("scheduler", "worker"))


@pytest.mark.parametrize("said", [NGINX, str(CLUSTER["Ingress"])])
def test_an_upload_as_large_as_the_course_takes_passes_the_door(said):
    most = int(re.search(r"body[-_]size['\": ]+(\d+)m", said)[1])
    config = (ROOT / ".streamlit" / "config.toml").read_text()
    largest = int(re.search(r"maxUploadSize = (\d+)", config)[1])
    assert largest < most <= sessions.BYTES_AT_MOST >> 20
