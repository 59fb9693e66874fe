import { html } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

const STYLE = html`
  <style>
    :root {
      --ground: #eef1ef;
      --ink: #17211d;
      --muted: #52605a;
      --rule: #c3ccc7;
      --link: #00665e;
      color-scheme: light dark;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #131917;
        --ink: #e3e9e6;
        --muted: #9daba4;
        --rule: #37423d;
        --link: #5fcabc;
      }
    }
    body {
      font:
        16px/1.55 system-ui,
        sans-serif;
      background: var(--ground);
      color: var(--ink);
      max-width: 46rem;
      margin: 3rem auto;
      padding: 0 1rem;
    }
    section {
      border-top: 1px solid var(--rule);
      padding: 0.4rem 0 1rem;
    }
    h1 {
      margin-bottom: 0;
    }
    h2 {
      font-size: 1rem;
      margin: 0.6rem 0;
    }
    a {
      color: var(--link);
    }
    p {
      margin: 0.5rem 0;
    }
    .muted {
      color: var(--muted);
    }
    pre {
      overflow-x: auto;
      border: 1px solid var(--rule);
      padding: 0.7rem;
      font-size: 0.875rem;
    }
  </style>
`

/** The start page for people: what the service is and what to do next. Uses no script. */
export function startPage(base: string): HtmlEscapedString | Promise<HtmlEscapedString> {
  return html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>Docent</title>
      ${STYLE}
      <h1>Docent</h1>
      <p>This service turns documentation into MCP servers that answer from it, with citations. It is running.</p>
      <section>
        <h2>1. Get an API key</h2>
        <p>On the machine of the service, in its folder. If there is no account yet, make one first.</p>
        <pre>
npm run docent -- admin create --email you@example.org
npm run docent -- admin key --email you@example.org --name mine</pre>
      </section>
      <section>
        <h2>2. Make a server</h2>
        <pre>
curl ${base}/api/mcp/create \\
  -H "Authorization: Bearer YOUR_API_KEY" -H "Content-Type: application/json" \\
  -d '{"name": "My docs", "sources": [{"url": "https://docs.example.org/"}]}'</pre>
      </section>
      <section>
        <h2>3. Connect a client</h2>
        <p>Give the server's address to an MCP client. It has the form:</p>
        <pre>${base}/api/mcp/NAME-OF-THE-SERVER</pre>
      </section>
      <section>
        <h2>Or let an AI client do it</h2>
        <p>
          With an API key, a client can make and manage servers at the
          <a href="/docs/account-endpoint">endpoint of the account</a>. For Claude Code:
        </p>
        <pre>
claude mcp add --transport http docent ${base}/api/headless/mcp \\
  --header "Authorization: Bearer YOUR_API_KEY"</pre>
      </section>
      <section>
        <p class="muted">
          <a href="/openapi.json">The interface (OpenAPI)</a> · <a href="/plan">Plans and limits</a> ·
          <a href="/docs/account-endpoint">Tools for an account</a> ·
          <a href="/docs/private-servers">Private servers</a> · <a href="/docs/crawler">The crawler</a>
        </p>
      </section>
    </html> `
}
