import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bareEnvironment } from '../../lib/bare-environment.ts'
import { type Program, startProgram } from '../../process/processes.ts'

const script = fileURLToPath(new URL('../../../scripts/backup.ts', import.meta.url))

/** `npm run backup`, `backup:check` or `restore` in a process of its own. */
export const startBackupTask = (
  task: 'backup' | 'check' | 'restore',
  args: readonly string[],
  env: Record<string, string> & { DATA_DIR: string },
): Program =>
  startProgram(process.execPath, [script, task, ...args], {
    env: { ...bareEnvironment(), ENV_FILE: join(env.DATA_DIR, 'no.env'), ...env },
  })
