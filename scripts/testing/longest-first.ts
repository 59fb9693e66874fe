import { relative, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Folders whose tests start the service, a browser, other programs or large corpora: some take half a minute, whatever
 * their size.
 */
const LONG = [
  'server/test',
  'dashboard/test',
  'bench',
  'sdk',
  'cli',
  'scripts',
  'server/src/extract',
  'server/src/models',
  'server/src/readers',
  'server/src/sources',
  'server/src/workers',
]

/** Starts the tests of `LONG` first, so that no processor waits for one of them at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId, project }: TestSpecification) => {
      const path = relative(project.config.root, moduleId).split(sep).join('/')
      return LONG.some((folder) => path.startsWith(`${folder}/`))
    }
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
