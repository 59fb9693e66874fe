import { serveTasks } from '#workers/serve-child.ts'
import { runBuildTask } from './build-tasks.ts'

serveTasks(runBuildTask)
