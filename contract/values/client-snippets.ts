/**
 * How AI clients connect to a hosted server, for the dashboard, the command line and `configSnippet`. The formats are
 * those of the clients' own documentation and sources, see `docs/clients.md`.
 */

import { type ClientConfig, type Target, configText } from './client-config.ts'

/** One step of the way: a sentence, and often something to copy. */
export type Step = { text: string; code?: string }

export type Client = {
  id: string
  title: string
  /** `cloud` clients connect from the servers of their maker, and cannot reach an address in a private network. */
  from: 'here' | 'cloud'
  /** Whether it sends a fixed token. The others sign in to private servers by OAuth. */
  sendsToken: boolean
  /** How a person signs in to a private server from it, after the steps without a token. Absent: by a token alone. */
  signIn?: (slug: string) => string
  steps: (target: Target) => Step[]
  /** The form of its configuration file; absent if it has none that a program can change. */
  config?: ClientConfig
  /** An https address that opens the client and adds the server. Null if the token would be in the address. */
  link?: (target: Target) => string | null
}

/** The placeholder in snippets of private servers, because tokens are shown only once. */
export const TOKEN_PLACEHOLDER = '<ACCESS_TOKEN>'

const bearer = (token: string): string => `Bearer ${token}`
/** JSON strings are also strings of shells, without `$`, backquotes and backslashes. */
const quote = (text: string): string => JSON.stringify(text)
const headerFlag = ({ token }: Target): string =>
  token === null ? '' : ` --header ${quote(`Authorization: ${bearer(token)}`)}`
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

const headersOf = ({ token }: Target) => (token === null ? {} : { headers: { Authorization: bearer(token) } })
/** The form that most clients read, with the members that a client needs besides. */
const mcpServers = (entry: (target: Target) => Record<string, unknown>): ClientConfig => ({
  format: 'json',
  at: 'mcpServers',
  entry: (target) => ({ ...entry(target), ...headersOf(target) }),
})

const COMMON = mcpServers(({ url }) => ({ type: 'http', url }))
const URL_ONLY = mcpServers(({ url }) => ({ url }))

/** A client whose configuration is changed by hand. */
const byHand = (text: string, config: ClientConfig): Pick<Client, 'steps' | 'config'> => ({
  config,
  steps: (target) => [{ text, code: configText(config, target) }],
})

/** The common form, which most clients read. */
export const snippetOf = (target: Target): string => configText(COMMON, target)

export const CLIENTS: readonly Client[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    from: 'here',
    sendsToken: true,
    signIn: (slug) => `Run claude mcp login ${slug}. Your browser opens: sign in, and allow it.`,
    config: COMMON,
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
    signIn: () => 'Choose “Connect” beside it in the MCP settings. Your browser opens: sign in, and allow it.',
    ...byHand('Add this to ~/.cursor/mcp.json.', URL_ONLY),
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
    signIn: () => 'VS Code asks when it starts the server. Your browser opens: sign in, and allow it.',
    ...byHand('Add this to .vscode/mcp.json, or with “MCP: Open User Configuration” for all folders.', {
      ...COMMON,
      at: 'servers',
    }),
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
    signIn: (slug) => `Run codex mcp login ${slug}. Your browser opens: sign in, and allow it.`,
    ...byHand('Add this to ~/.codex/config.toml.', {
      format: 'toml',
      at: 'mcp_servers',
      entry: ({ url, token }) => ({
        url,
        ...(token === null ? {} : { http_headers: { Authorization: bearer(token) } }),
      }),
    }),
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    from: 'here',
    sendsToken: true,
    signIn: (slug) => `Type /mcp auth ${slug} in Gemini CLI. Your browser opens: sign in, and allow it.`,
    // `url` means the older SSE transport there.
    config: mcpServers(({ url }) => ({ httpUrl: url })),
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
    ...byHand('Add this to the settings (zed: open settings).', { ...URL_ONLY, at: 'context_servers' }),
  },
  {
    id: 'cline',
    title: 'Cline',
    from: 'here',
    sendsToken: true,
    ...byHand(
      'Open “MCP Servers”, then “Configure MCP Servers”, and add this.',
      // Without a type, Cline speaks the older SSE transport to the address.
      mcpServers(({ url }) => ({ type: 'streamableHttp', url })),
    ),
  },
  {
    id: 'copilot-cli',
    title: 'Copilot CLI',
    from: 'here',
    sendsToken: true,
    ...byHand(
      'Add this to ~/.copilot/mcp-config.json.',
      mcpServers(({ url }) => ({ type: 'http', url, tools: ['*'] })),
    ),
  },
  {
    id: 'goose',
    title: 'Goose',
    from: 'here',
    sendsToken: true,
    signIn: () => 'Goose opens your browser when it starts: sign in, and allow it.',
    ...byHand('Add this to ~/.config/goose/config.yaml.', {
      format: 'yaml',
      at: 'extensions',
      entry: (target) => ({
        enabled: true,
        type: 'streamable_http',
        name: target.slug,
        uri: target.url,
        timeout: 60,
        ...headersOf(target),
      }),
    }),
  },
  {
    id: 'lm-studio',
    title: 'LM Studio',
    from: 'here',
    sendsToken: true,
    ...byHand('Open “Program”, “Install”, “Edit mcp.json”, and add this.', URL_ONLY),
    link: ({ slug, url, token }) =>
      token === null
        ? `https://lmstudio.ai/install-mcp?name=${encodeURIComponent(slug)}&config=${encodeURIComponent(base64(JSON.stringify({ url })))}`
        : null,
  },
  {
    id: 'devin',
    title: 'Devin Desktop',
    from: 'here',
    sendsToken: true,
    // Windsurf until June 2026. The file and its form changed with the name.
    ...byHand(
      'Add this to ~/.config/devin/mcp_config.json, on Windows to %APPDATA%\\devin\\mcp_config.json.',
      URL_ONLY,
    ),
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    from: 'here',
    sendsToken: true,
    ...byHand(
      'Up to the version that became Devin Desktop, add this to ~/.codeium/windsurf/mcp_config.json.',
      mcpServers(({ url }) => ({ serverUrl: url })),
    ),
  },
  {
    id: 'opencode',
    title: 'opencode',
    from: 'here',
    sendsToken: true,
    signIn: (slug) => `Run opencode mcp auth ${slug}. Your browser opens: sign in, and allow it.`,
    ...byHand('Add this to opencode.json.', {
      format: 'json',
      at: 'mcp',
      entry: (target) => ({
        type: 'remote',
        url: target.url,
        enabled: true,
        // Version 2 has a form of its own, `mcp.servers`, and reads this one of version 1 as well.
        // A token is sent as it is, so opencode need not look for a sign-in.
        ...(target.token === null ? {} : { oauth: false, ...headersOf(target) }),
      }),
    }),
  },
  {
    id: 'claude',
    title: 'Claude',
    from: 'cloud',
    sendsToken: false,
    signIn: () => 'Choose “Connect”. Sign in, and allow it.',
    steps: ({ slug, url }) => [
      { text: `In Settings, Connectors, “Add custom connector”, name it ${slug} and give this address.`, code: url },
    ],
  },
  {
    id: 'chatgpt',
    title: 'ChatGPT',
    from: 'cloud',
    sendsToken: false,
    signIn: () => 'ChatGPT opens the sign-in: sign in, and allow it.',
    steps: ({ slug, url }) => [
      {
        text: `In Settings, turn on developer mode under Apps and Connectors, create ${slug} with this address, with OAuth for a private server and else without authentication.`,
        code: url,
      },
    ],
  },
  {
    id: 'other',
    title: 'Any other',
    from: 'here',
    sendsToken: true,
    steps: (target) => [{ text: 'Most clients read this form.', code: snippetOf(target) }],
  },
]

/** Why a client cannot use the server, in a sentence; null if nothing is known against it. */
export function whyUnreachable({ title, from }: Client, { url }: { url: string }): string | null {
  const { protocol, hostname } = new URL(url)
  if (from === 'cloud' && isPrivateHost(hostname)) {
    return `${title} connects from the servers of its maker, not from your computer, and ${hostname} exists only here. Give this instance a public https address with DOCENT_PUBLIC_URL.`
  }
  if (from === 'cloud' && protocol !== 'https:') {
    return `${title} connects to https addresses only. Put a proxy with TLS in front of this instance, and set DOCENT_PUBLIC_URL.`
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
