import type { ApiDescription, ApiSubject } from '#extract/api/api-document.ts'
import type { SourceDocument, SourceOmission } from '../source-document.ts'

/** Converts an API description to documents, and its problems to omissions. */
export function descriptionDocuments(
  { documents, problems }: ApiDescription,
  from: string,
): (SourceDocument | SourceOmission)[] {
  return [
    ...documents.map(({ subject, title, markdown, pointer }): SourceDocument => ({
      kind: 'document',
      url: subject === null ? withoutFragment(from) : partUrl(from, subject.kind, subject.name),
      title,
      markdown,
      language: null,
      anchors: pointer === null ? [] : [{ offset: 0, anchor: encodeURI(pointer) }],
    })),
    ...problems.map(({ at, reason, detail }): SourceOmission => ({
      kind: 'skipped',
      url: partUrl(from, 'problem', at),
      reason,
      detail,
    })),
  ]
}

/**
 * URL of one part: that of the description, which readers can open, with a parameter that file servers ignore.
 * Citations add the part's JSON pointer (RFC 6901) as the fragment.
 */
function partUrl(description: string, kind: ApiSubject | 'problem', name: string): string {
  const url = new URL(withoutFragment(description))
  const readable = encodeURIComponent(name).replaceAll('%20', '+').replaceAll('%2F', '/').replaceAll('%23', '')
  url.search += `${url.search === '' ? '?' : '&'}docent-${kind}=${readable}`
  return url.href
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? url
}
