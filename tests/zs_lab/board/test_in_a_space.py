"""The board in a Space: the submitter is the signed-in Hugging Face account, and nobody can impersonate another."""

import base64
import hashlib
import json
import time
from pathlib import Path

import httpx
import pytest
from started_app import started_app

from zs_bench.validation.from_source import references_from_source
from zs_lab.board import create_board, owner

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
SECRET = "the secret of the Space"


def session(secret: str) -> str:
    """The session cookie that Gradio gives to a signed-in user, signed with that secret."""
    from itsdangerous import TimestampSigner

    profile = {"name": "Ann", "preferred_username": "ann", "profile": "https://huggingface.co/ann", "picture": ""}
    info = {"oauth_info": {"userinfo": profile, "access_token": "t", "expires_at": int(time.time()) + 900}}
    key = hashlib.sha256(f"{secret}-v4".encode()).hexdigest()
    return TimestampSigner(key).sign(base64.b64encode(json.dumps(info).encode())).decode()


@pytest.mark.parametrize("is_space", [True, False])
def test_the_submitter_is_the_signed_in_user_only_in_a_space(tmp_path, is_space):
    place = tmp_path / "board.sqlite"
    owner.invite(create_board(place, references_from_source("embedded", ["qasper"])), "hf:ann")
    settings = {"ZS_BOARD": str(place), "SPACE_ID": "o/s", "SPACE_HOST": "o-s.hf.space", "OAUTH_CLIENT_ID": "id"}
    settings |= {"OAUTH_CLIENT_SECRET": SECRET, "OAUTH_SCOPES": "openid", "OPENID_PROVIDER_URL": "http://127.0.0.1:9"}
    settings |= {"SYSTEM": "spaces"} if is_space else {"SYSTEM": ""}
    with started_app(ROOT, tmp_path / "log", **settings) as url:
        history, answers = f"{url}/gradio_api/run/board_history", []
        for secret in ("", "another secret", SECRET):
            cookie = {"cookie": f"session={session(secret)}"}
            answers.append(httpx.post(history, json={"data": [""]}, headers=cookie, timeout=60))
        assert [answer.status_code for answer in answers] == [500, 500, 200 if is_space else 500]
        components = httpx.get(f"{url}/config", timeout=60).json()["components"]
        (tab,) = [part["id"] for part in components if "own_entries" in (part["props"].get("server_fns") or [])]
        call = {"component_id": tab, "fn_name": "own_entries", "data": {"code": ""}, "session_hash": "s"}
        own = httpx.post(f"{url}/gradio_api/component_server", json=call, headers=cookie, timeout=60).json()
        assert ("2 today, 5 in all" in own.get("html", ""), "error" in own) == (is_space, not is_space)
        assert httpx.get(f"{url}/logout", timeout=60).status_code == (307 if is_space else 404)
