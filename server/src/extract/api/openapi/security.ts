import { joinParts } from '../api-document.ts'
import { embedText } from '../embed-text.ts'
import { isRecord, listOf, type Loose, recordOf, textOf, textsOf } from '../loose-json.ts'
import type { OpenApi } from './open-api.ts'

/** Describes the accepted credentials of an operation, or that it needs none. Empty if the description does not say. */
export function securityText({ root, references }: OpenApi, operation: Loose): string {
  const given = operation['security'] ?? root['security']
  if (!Array.isArray(given)) return ''
  const ways = listOf(given).filter(isRecord)
  const schemes = recordOf(recordOf(root['components'])['securitySchemes'])
  const lines = ways.map((way) => {
    const parts = Object.entries(way).map(([name, scopes]) => {
      const scheme = recordOf(references.resolve(schemes[name]).value)
      const needs = textsOf(scopes).map((scope) => `\`${scope}\``)
      return `${schemeText(name, scheme)}${needs.length === 0 ? '' : `, scopes ${needs.join(', ')}`}`
    })
    return `- ${parts.join(' and ') || 'without credentials'}`
  })
  if (lines.length === 0) return 'No credentials are needed.'
  return lines.length === 1 ? (lines[0] ?? '').slice(2) : joinParts(['One of:', lines.join('\n')])
}

/** Describes a scheme on one line, such as `bearerAuth: header "Authorization: Bearer …" (JWT)`. */
export function schemeText(name: string, scheme: Loose): string {
  const header = sentHeader(scheme)
  const format = textOf(scheme['bearerFormat'])
  const type = textOf(scheme['type'])
  if (header) return `\`${name}\`: header \`${header.join(': ')}\`${format === '' ? '' : ` (${format})`}`
  if (type === 'apiKey') return `\`${name}\`: key in ${textOf(scheme['in'])} \`${textOf(scheme['name'])}\``
  const discovery = textOf(scheme['openIdConnectUrl'])
  return `\`${name}\`${type === '' ? '' : `: ${type}`}${discovery === '' ? '' : ` (${discovery})`}`
}

/** Returns the header for the credential, with a placeholder value, or null. */
export function sentHeader(scheme: Loose): [name: string, value: string] | null {
  const type = textOf(scheme['type'])
  if (type === 'apiKey') return textOf(scheme['in']) === 'header' ? [textOf(scheme['name']), 'YOUR_API_KEY'] : null
  if (type === 'http') {
    const kind = textOf(scheme['scheme']).toLowerCase()
    if (kind === 'basic') return ['Authorization', 'Basic YOUR_CREDENTIALS']
    return ['Authorization', `${kind === 'bearer' || kind === '' ? 'Bearer' : kind} YOUR_TOKEN`]
  }
  return type === 'oauth2' || type === 'openIdConnect' ? ['Authorization', 'Bearer YOUR_TOKEN'] : null
}

/** Describes a scheme with its description, flows and scopes, for the overview. */
export function describeScheme(name: string, scheme: Loose): string {
  const flows = Object.entries(recordOf(scheme['flows'])).map(([flow, each]) => {
    const { authorizationUrl, tokenUrl, scopes } = recordOf(each)
    const addresses = [textOf(authorizationUrl), textOf(tokenUrl)].filter(Boolean).join(', ')
    const lines = Object.entries(recordOf(scopes)).map(([scope, meaning]) => `- \`${scope}\`: ${textOf(meaning)}`)
    return joinParts([`Flow ${flow}${addresses === '' ? '' : `: ${addresses}`}`, lines.join('\n')])
  })
  return joinParts([schemeText(name, scheme), embedText(textOf(scheme['description']), 3), ...flows])
}
