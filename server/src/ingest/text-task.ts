import type { PageTask } from './process-page.ts'
import type { LlmsPage } from './sources/llms-full.ts'

/** A page's text as its site gave it, in the place of the page. */
export function textTask(url: string, { title, markdown }: LlmsPage): PageTask {
  return {
    url,
    contentType: 'text/markdown; charset=utf-8',
    bytes: Buffer.from(markdown),
    ...(title === null ? {} : { given: { title, language: null } }),
  }
}
