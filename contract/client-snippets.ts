/**
 * How AI clients connect to a hosted server, for the dashboard, the command line and `configSnippet`. The formats are
 * those of the clients' own documentation and sources, see `docs/clients.md`.
 */

/** The server to connect to. `token` is an access token, a placeholder for one, or null for a public server. */
export type Target = { slug: string; url: string; token: string | null }

/** One step of the way: a sentence, and often something to copy. */
export type Step = { text: string; code?: string }

export type Client = {
  id: string
  title: string
  /** `cloud` clients connect from the servers of their maker, and cannot reach an address in a private network. */
  from: 'here' | 'cloud'
  /** Whether it sends a fixed token. The others sign in by OAuth, which hosted servers do not offer. */
  sendsToken: boolean
  steps: (target: Target) => Step[]
  /** An https address that opens the client and adds the server. Null if the token would be in the address. */
  link?: (target: Target) => string | null
}

/** The placeholder in snippets of private servers, because tokens are shown only once. */
export const TOKEN_PLACEHOLDER = '<ACCESS_TOKEN>'

const bearer = (token: string): string => `Bearer ${token}`
const headersOf = ({ token }: Target) => (token === null ? {} : { headers: { Authorization: bearer(token) } })
const json = (value: unknown): string => JSON.stringify(value, null, 2)
/** JSON strings are also strings of TOML, YAML and, without `$`, backquotes and backslashes, of shells. */
const quote = (text: string): string => JSON.stringify(text)
const headerFlag = ({ token }: Target): string =>
  token === null ? '' : ` --header ${quote(`Authorization: ${bearer(token)}`)}`
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/** An entry of the common form `mcpServers`, with the members that a client needs besides. */
const entry = (target: Target, members: Record<string, unknown>) =>
  json({ mcpServers: { [target.slug]: { ...members, ...headersOf(target) } } })

/** The common form, which most clients read. */
export const configSnippet = (target: Target): string => entry(target, { type: 'http', url: target.url })

export const CLIENTS: readonly Client[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    from: 'here',
    sendsToken: true,
    steps: (target) => [
      {
        text: 'Run this once. It works from any folder.',
        code: `claude mcp add --transport http --scope user ${target.slug} ${target.url}${headerFlag(target)}`,
      },
    ],
  },
  {
    id: 'cursor',
    title: 'Cursor',
    from: 'here',
    sendsToken: true,
    steps: (target) => [{ text: 'Add this to ~/.cursor/mcp.json.', code: entry(target, { url: target.url }) }],
    link: ({ slug, url, token }) =>
      token === null
        ? `https://cursor.com/en/install-mcp?name=${encodeURIComponent(slug)}&config=${encodeURIComponent(base64(JSON.stringify({ url })))}`
        : null,
  },
  {
    id: 'vscode',
    title: 'VS Code',
    from: 'here',
    sendsToken: true,
    steps: (target) => [
      {
        text: 'Add this to .vscode/mcp.json, or with “MCP: Open User Configuration” for all folders.',
        code: json({ servers: { [target.slug]: { type: 'http', url: target.url, ...headersOf(target) } } }),
      },
    ],
    link: ({ slug, url, token }) =>
      token === null
        ? `https://vscode.dev/redirect/mcp/install?name=${encodeURIComponent(slug)}&config=${encodeURIComponent(JSON.stringify({ type: 'http', url }))}`
        : null,
  },
  {
    id: 'codex',
    title: 'Codex',
    from: 'here',
    sendsToken: true,
    steps: ({ slug, url, token }) => [
      {
        text: 'Add this to ~/.codex/config.toml.',
        code: [
          `[mcp_servers.${slug}]`,
          `url = ${quote(url)}`,
          ...(token === null ? [] : [`http_headers = { Authorization = ${quote(bearer(token))} }`]),
        ].join('\n'),
      },
    ],
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    from: 'here',
    sendsToken: true,
    steps: (target) => [
      {
        text: 'Run this once. It works from any folder.',
        code: `gemini mcp add --transport http --scope user ${target.slug} ${target.url}${headerFlag(target)}`,
      },
    ],
  },
  {
    id: 'zed',
    title: 'Zed',
    from: 'here',
    sendsToken: true,
    steps: (target) => [
      {
        text: 'Add this to the settings (zed: open settings).',
        code: json({ context_servers: { [target.slug]: { url: target.url, ...headersOf(target) } } }),
      },
    ],
  },
  {
    id: 'cline',
    title: 'Cline',
    from: 'here',
    sendsToken: true,
    steps: (target) => [
      {
        text: 'Open “MCP Servers”, then “Configure MCP Servers”, and add this.',
        code: entry(target, { type: 'streamableHttp', url: target.url }),
      },
    ],
  },
  {
    id: 'goose',
    title: 'Goose',
    from: 'here',
    sendsToken: true,
    steps: ({ slug, url, token }) => [
      {
        text: 'Add this to ~/.config/goose/config.yaml.',
        code: [
          'extensions:',
          `  ${slug}:`,
          '    enabled: true',
          '    type: streamable_http',
          `    name: ${slug}`,
          `    uri: ${quote(url)}`,
          '    timeout: 60',
          ...(token === null ? [] : ['    headers:', `      Authorization: ${quote(bearer(token))}`]),
        ].join('\n'),
      },
    ],
  },
  {
    id: 'lm-studio',
    title: 'LM Studio',
    from: 'here',
    sendsToken: true,
    steps: (target) => [
      { text: 'Open “Program”, “Install”, “Edit mcp.json”, and add this.', code: entry(target, { url: target.url }) },
    ],
    link: ({ slug, url, token }) =>
      token === null
        ? `https://lmstudio.ai/install-mcp?name=${encodeURIComponent(slug)}&config=${encodeURIComponent(base64(JSON.stringify({ url })))}`
        : null,
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    from: 'here',
    sendsToken: true,
    steps: (target) => [
      {
        text: 'Add this to ~/.codeium/windsurf/mcp_config.json.',
        code: entry(target, { serverUrl: target.url }),
      },
    ],
  },
  {
    id: 'opencode',
    title: 'opencode',
    from: 'here',
    sendsToken: true,
    steps: (target) => [
      {
        text: 'Add this to opencode.json.',
        code: json({
          mcp: {
            [target.slug]: {
              type: 'remote',
              url: target.url,
              enabled: true,
              // A token is sent as it is, so opencode need not look for a sign-in.
              ...(target.token === null ? {} : { oauth: false, ...headersOf(target) }),
            },
          },
        }),
      },
    ],
  },
  {
    id: 'claude',
    title: 'Claude',
    from: 'cloud',
    sendsToken: false,
    steps: ({ slug, url }) => [
      { text: `In Settings, Connectors, “Add custom connector”, name it ${slug} and give this address.`, code: url },
    ],
  },
  {
    id: 'chatgpt',
    title: 'ChatGPT',
    from: 'cloud',
    sendsToken: false,
    steps: ({ slug, url }) => [
      {
        text: `In Settings, turn on developer mode under Apps and Connectors, create ${slug} without authentication, and give this address.`,
        code: url,
      },
    ],
  },
  {
    id: 'other',
    title: 'Any other',
    from: 'here',
    sendsToken: true,
    steps: (target) => [{ text: 'Most clients read this form.', code: configSnippet(target) }],
  },
]

/** Why a client cannot use the server, in a sentence; null if nothing is known against it. */
export function whyUnreachable(
  { title, from, sendsToken }: Client,
  { url, visibility }: { url: string; visibility: 'public' | 'private' },
): string | null {
  const { protocol, hostname } = new URL(url)
  if (from === 'cloud' && isPrivateHost(hostname)) {
    return `${title} connects from the servers of its maker, not from your computer, and ${hostname} exists only here. Give this instance a public https address with DOCENT_PUBLIC_URL.`
  }
  if (from === 'cloud' && protocol !== 'https:') {
    return `${title} connects to https addresses only. Put a proxy with TLS in front of this instance, and set DOCENT_PUBLIC_URL.`
  }
  if (!sendsToken && visibility === 'private') {
    return `${title} sends no access token, and this server is private. Make the server public, or use another client.`
  }
  return null
}

/** Loopback, private networks, and names without a domain. */
function isPrivateHost(host: string): boolean {
  return (
    !host.includes('.') ||
    /^(?:127|10)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^169\.254\.|\.(?:local|internal|lan|test)$/.test(host)
  )
}
