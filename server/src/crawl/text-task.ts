import type { PageTask } from '#processes/process-page.ts'
import type { LlmsPage } from '#extract/site/llms-full.ts'

/** Creates the task for a page whose site gave its text. */
export function textTask(url: string, { title, markdown }: LlmsPage): PageTask {
  return {
    url,
    contentType: 'text/markdown; charset=utf-8',
    bytes: Buffer.from(markdown),
    ...(title === null ? {} : { given: { title, language: null } }),
  }
}
