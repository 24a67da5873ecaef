import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PREVIOUS } from '../lib/previous-version.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The files of the previous version, with this one's dependencies, to start its services from. */
export type PreviousVersion = { entryOf(service: string): string; remove(): void }

export const unpackPreviousVersion = (): PreviousVersion => {
  refuseShallow()
  const folder = mkdtempSync(join(tmpdir(), 'stoa-previous-'))
  const archive = execFileSync('git', ['archive', PREVIOUS.commit], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  linkModules(folder)
  return {
    entryOf: (service) => join(folder, 'services', service, 'src/main.ts'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const refuseShallow = (): void => {
  const { status } = spawnSync('git', ['cat-file', '-e', `${PREVIOUS.commit}^{commit}`], { cwd: root })
  if (status !== 0)
    throw new Error(
      `This clone doesn't contain the previous version (${PREVIOUS.commit}). Run "git fetch --unshallow", then try again.`,
    )
}

/** Packages of others are this version's; packages of the repository are its own. */
const linkModules = (folder: string): void => {
  const [ours, theirs] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(join(theirs, '@stoa'), { recursive: true })
  for (const name of readdirSync(ours).filter((each) => each !== '@stoa' && !each.startsWith('.')))
    symlinkSync(join(ours, name), join(theirs, name))
  for (const name of readdirSync(join(ours, '@stoa')))
    symlinkSync(join(theirs, '@stoa', readlinkSync(join(ours, '@stoa', name))), join(theirs, '@stoa', name))
}
