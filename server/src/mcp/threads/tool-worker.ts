import { workerData } from 'node:worker_threads'
import { serveThread } from '#workers/serve-thread.ts'
import { ToolRunner, type ToolTask, type ToolThreadData } from './tool-runner.ts'

serveThread<ToolTask>((tell) => new ToolRunner(workerData as ToolThreadData, tell))
