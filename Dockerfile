# Docent without a browser: pages that are empty without JavaScript are left out. See docs/commands.md to add one.
ARG NODE=24.21.0
ARG ALPINE=3.22

FROM node:${NODE}-alpine AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY cli/package.json cli/
COPY widget/package.json widget/
COPY dashboard/package.json dashboard/
COPY bench/package.json bench/
COPY contract contract
COPY server server
COPY sdk sdk
COPY cli cli
COPY widget widget
COPY dashboard dashboard
# The bundler looks for every project that tsconfig.json names.
COPY tsconfig.json tsconfig.project.json ./
COPY scripts/build.mjs scripts/bundle.mjs scripts/index-docs.mjs scripts/licences.mjs scripts/
COPY scripts/launch scripts/launch
COPY scripts/site scripts/site
COPY docs docs
COPY README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE compose.yaml Dockerfile ./
COPY deploy/docent.service deploy/docent.service
# The commit that `docent --version` shows. The history is not copied.
ARG DOCENT_COMMIT
# Only the build stays.
RUN npm ci --omit=dev --workspace=contract --workspace=server --workspace=sdk --workspace=cli --workspace=widget --workspace=dashboard \
  && node scripts/build.mjs \
  && rm -rf node_modules */node_modules contract server sdk cli widget dashboard bench scripts .runtime tsconfig.json tsconfig.project.json deploy docs/images ARCHITECTURE.md CONTRIBUTING.md compose.yaml Dockerfile
COPY deploy/docent deploy/docent

# Node comes without npm, which the service does not need.
FROM alpine:${ALPINE}
# util-linux isolates the readers of documents: unshare, setpriv and mount.
RUN apk add --no-cache libstdc++ util-linux \
  && addgroup -S -g 10001 docent \
  && adduser -S -D -H -u 10001 -G docent docent \
  && install -d -o docent -g docent -m 700 /data /backups \
  && ln -s /app/deploy/docent /usr/local/bin/docent
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app /app
ENV NODE_ENV=production \
  NODE_COMPILE_CACHE=/tmp/docent-compile-cache \
  DOCENT_HOST=0.0.0.0 \
  DOCENT_PORT=8787 \
  DOCENT_DATA_DIR=/data
USER docent
WORKDIR /data
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD wget -q -O /dev/null "http://127.0.0.1:${DOCENT_PORT}/healthz" || exit 1
ENTRYPOINT ["docent"]
CMD ["serve"]
