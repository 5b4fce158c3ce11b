#!/bin/sh
# Writes the digests of the images that this machine has into .env, so that every later start uses the same bytes:
#   docker compose pull && sh deploy/pin-images.sh
# With --check it only says which images are not pinned, and ends with 1 when there is one.
set -eu
env_file=${ENV_FILE:-.env}

unpinned=0
while read -r name image; do
  current=$(sed -n "s/^$name=//p" "$env_file")
  case $current in *@sha256:*) continue ;; esac
  if [ "${1:-}" = --check ]; then
    echo "$name is not pinned: ${current:-$image}"
    unpinned=1
    continue
  fi
  pinned=$(docker image inspect --format '{{index .RepoDigests 0}}' "${current:-$image}")
  case $pinned in *@sha256:*) ;; *) echo "$name: ${current:-$image} has no digest" >&2; exit 1 ;; esac
  grep -v "^$name=" "$env_file" > "$env_file.new" || true
  echo "$name=$pinned" >> "$env_file.new"
  cat "$env_file.new" > "$env_file"
  rm "$env_file.new"
  echo "$name=$pinned"
done <<'IMAGES'
NODE_IMAGE node:24-bookworm-slim
POSTGRES_IMAGE postgres:18
EVENT_STORE_IMAGE eventstore/eventstore:24.10
CERTIFICATES_IMAGE eventstore/es-gencert-cli:1.0.2
NGINX_IMAGE nginx:1.28-alpine
IMAGES
exit $unpinned
