export const LANGUAGES = [
  { name: 'curl', title: 'curl' },
  { name: 'node', title: 'Node' },
  { name: 'python', title: 'Python' },
] as const
export type Language = (typeof LANGUAGES)[number]['name']

/** The language in the address; curl without one. */
export function languageOf(text: string | null): Language {
  return LANGUAGES.find(({ name }) => name === text)?.name ?? 'curl'
}

/** Code for a backend that mints an attribution token. The secret is in its environment. */
export function mintingCode(language: Language, { clientId, origin }: { clientId: string; origin: string }): string {
  const url = `${origin}/api/attribution/token`
  switch (language) {
    case 'node':
      return `const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.DOCENT_CLIENT_SECRET}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({ clientId: '${clientId}', endUserId: 'user-42' }),
})
if (!response.ok) throw new Error(await response.text())
const { token } = await response.json()`
    case 'python':
      return `import json, os, urllib.request

request = urllib.request.Request(
    "${url}",
    data=json.dumps({"clientId": "${clientId}", "endUserId": "user-42"}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['DOCENT_CLIENT_SECRET']}",
        "Content-Type": "application/json",
    },
)
token = json.load(urllib.request.urlopen(request))["token"]`
    case 'curl':
      return `curl ${url} \\
  -H "Authorization: Bearer $DOCENT_CLIENT_SECRET" \\
  -H 'Content-Type: application/json' \\
  -d '{"clientId": "${clientId}", "endUserId": "user-42"}'`
  }
}

/** Code of a page whose backend has minted a token. */
export function pageCode(origin: string): string {
  return `<script async src="${origin}/embed/docent.js"></script>
<docent-ask configuration="cfg_…" attribution-token="dav1_…"></docent-ask>`
}
