import { spawnSync } from 'node:child_process'

const INSTALL_MS = 300_000

/** Installs the first of these Debian packages that there is, where that is possible. */
export const installPackage = (label: string, packages: readonly string[], say: (line: string) => void): void => {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return
  say(`Installing ${label} for the tests (only the first time)`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]): boolean => {
    const options = { env, encoding: 'utf8', timeout: INSTALL_MS } as const
    const { status, stderr } = spawnSync('apt-get', ['-qq', ...args], options)
    if (status !== 0) say(`apt-get ${args.join(' ')} failed: ${stderr.trim()}`)
    return status === 0
  }
  apt('update')
  packages.some((name) => apt('install', '--yes', '--no-install-recommends', name))
}
