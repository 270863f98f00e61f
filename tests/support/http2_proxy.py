"""HTTP/2 with TLS in front of an app, as browsers see a Space: nginx with a certificate made for the occasion."""

import shutil
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from hashlib import sha256
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from nginx import running, temporary_places
from started_app import free_port

CONF = """daemon off; pid {folder}/pid; error_log stderr;
events {{}}
http {{
access_log off; {temp}
server {{
  listen 127.0.0.1:{port} ssl http2;
  ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;
  client_max_body_size 0;
  location / {{
    proxy_pass {url}; proxy_http_version 1.1; proxy_buffering off;
    proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto https;
  }}
}}
}}
"""


@contextmanager
def http2(url: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Serve the app of that address until the block ends; gives the new address, and the browser's option that trusts
    the certificate (Chromium keeps nothing in its cache that came with one it was told to overlook)."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    assert program, "no nginx here; install it with: apt-get install nginx-light"
    trust, port = _certificate(folder), free_port()
    conf = CONF.format(folder=folder, port=port, url=url, temp=temporary_places(folder))
    with running(program, folder, port, conf):
        yield f"https://127.0.0.1:{port}", f"--ignore-certificate-errors-spki-list={trust}"


def _certificate(folder: Path) -> str:
    """Write a certificate and its key; return the hash of its public key."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(timezone.utc).replace(tzinfo=None)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now - timedelta(1))
    certificate = made.not_valid_after(now + timedelta(2)).sign(key, hashes.SHA256())
    (folder / "cert.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return b64encode(sha256(public).digest()).decode()
