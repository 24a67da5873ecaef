// `npm run doctor [-- --json]`: what the owner's Health screen shows, from the host. Exits with 0, 1 (warning) or 2 (error).
import { systemClock } from '@stoa/kit/clock.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { readConfig } from '@stoa/mail/config.ts'
import { lookAtHealth } from '@stoa/mail/panel/health/health.ts'
import type { Health } from '@stoa/mail-model/health.ts'
import { type Order, runMailCommand } from './mail-command.ts'
import { complain } from './terminal.ts'

const USAGE = `Usage: npm run doctor             check this instance: network names, certificate, queue, database, disk, backups
       npm run doctor -- --json   print the result as JSON`

const EXIT_CODES = { ok: 0, warning: 1, error: 2 } as const satisfies Record<Health['status'], number>

export const readDoctorCommand = (args: readonly string[]): Order => {
  const isJson = args.length === 1 && args[0] === '--json'
  if (args.length > 0 && !isJson) throw new Error(USAGE)
  return async ({ database, env, say }) => {
    const log = createLogger({ name: 'mail', level: 'silent' })
    const found = await lookAtHealth({ config: readConfig(env), database, log, clock: systemClock })
    say(isJson ? JSON.stringify(found, null, 2) : textOf(found))
    return EXIT_CODES[found.status]
  }
}

const MARKS = { ok: '✓', warning: '!', error: '✗' } as const satisfies Record<Health['status'], string>

const textOf = ({ checks }: Health): string =>
  checks
    .map(({ id, status, message, action }) =>
      [`${MARKS[status]} ${id}: ${message}`, ...(action === null ? [] : [`    ${action}`])].join('\n'),
    )
    .join('\n')

if (import.meta.main) {
  const print = (text: string): void => void process.stdout.write(text)
  const call = { args: process.argv.slice(2), env: process.env, print }
  const code = await runMailCommand(readDoctorCommand, call).catch((error: unknown) => {
    complain(error)
    return EXIT_CODES.error
  })
  process.exit(code)
}
