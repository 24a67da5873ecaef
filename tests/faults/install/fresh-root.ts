import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../lib/waiting.ts'

/** Where the outside is, and the two addresses of the server. */
export const OUTSIDE_IP = '203.0.113.1'
const SERVER_IPS = ['203.0.113.10', '203.0.113.11']

export type FreshRoot = {
  readonly folder: string
  /** Runs commands in it with bash, with variables, functions and folder of the commands before; gives what they print. */
  run(commands: string, options: { isOnline: boolean }): Promise<{ code: number; output: string }>
  /** Starts a program of ours outside of it, in the network from which it is reached. */
  outside(file: string, args: readonly string[]): ChildProcess
  close(): Promise<void>
}

const sh = (command: string, args: readonly string[]): string => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}

/**
 * An empty Debian system with process and mount namespaces of its own, and two networks: this machine's for what is
 * fetched, and one with nothing but the outside for everything else. What debootstrap made before is copied if given.
 */
export const openFreshRoot = async (suite: string, madeBefore?: string): Promise<FreshRoot> => {
  const base = fs.mkdtempSync(join(tmpdir(), 'stoa-install-'))
  const folder = join(base, 'root')
  const name = `stoa${process.pid}`
  const networks = { server: `${name}s`, outside: `${name}o` }
  if (madeBefore) sh('cp', ['--archive', madeBefore, folder])
  else sh('debootstrap', ['--variant=minbase', suite, folder])
  openNetworks(networks)
  fs.mkdirSync(join(folder, 'rehearsal'))
  // No program may start a daemon while it is installed: that is systemd's.
  fs.writeFileSync(join(folder, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  // It is thrown away: nothing has to survive a power cut.
  fs.writeFileSync(join(folder, 'etc/dpkg/dpkg.cfg.d/rehearsal'), 'force-unsafe-io\n')
  fs.copyFileSync(new URL('./systemctl.sh', import.meta.url), join(folder, 'usr/local/bin/systemctl'))
  fs.chmodSync(join(folder, 'usr/local/bin/systemctl'), 0o755)
  fs.writeFileSync(join(folder, 'etc/hosts'), `127.0.0.1 localhost ${hostname()}\n`)
  trustLikeThisMachine(folder)
  const { pid, close } = await startFirstProcess(folder)

  const run: FreshRoot['run'] = async (commands, { isOnline }) => {
    const resolver = isOnline ? fs.readFileSync('/etc/resolv.conf') : `nameserver ${OUTSIDE_IP}\n`
    fs.writeFileSync(join(folder, 'etc/resolv.conf'), resolver)
    fs.writeFileSync(join(folder, 'rehearsal/step'), `${RESTORE}${commands}${KEEP}`)
    const network = isOnline ? [] : [`--net=/run/netns/${networks.server}`]
    const enter = ['--target', String(pid), '--mount', '--pid', '--root', ...network]
    const env = { ...ONLINE, HOME: '/root', PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }
    const shell = ['env', '--chdir=/', 'bash', '/rehearsal/step']
    const child = spawn('nsenter', [...enter, ...shell], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    // Daemons may keep its output open.
    const [code] = await once(child, 'exit')
    return { code: code ?? 1, output }
  }

  return {
    folder,
    run,
    outside: (file, args) =>
      spawn('nsenter', [`--net=/run/netns/${networks.outside}`, process.execPath, file, ...args], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      }),
    async close() {
      await close()
      for (const network of Object.values(networks)) spawnSync('ip', ['netns', 'delete', network])
      sh('rm', ['--recursive', '--force', '--one-file-system', base])
    },
  }
}

const ONLINE = { LANG: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive', STOA_REPOSITORY: '/rehearsal/repository' }

/** What one step leaves to the next, as in the shell of a person. */
const RESTORE = `set -e -o pipefail
[ ! -f /rehearsal/state ] || . /rehearsal/state
cd "\${REHEARSAL_FOLDER:-/root}"
`
const KEEP = `
REHEARSAL_FOLDER=$PWD
{ declare -p | grep -vE '^declare -[a-zA-Z]*r'; declare -f; } > /rehearsal/state
`

/** The way to the package registries may lead through a certificate of this machine's own. */
const trustLikeThisMachine = (folder: string): void => {
  const bundle = '/etc/ssl/certs/ca-certificates.crt'
  if (!fs.existsSync(bundle)) return
  fs.copyFileSync(bundle, join(folder, 'rehearsal/ca.crt'))
  fs.writeFileSync(join(folder, 'root/.npmrc'), 'cafile=/rehearsal/ca.crt\n')
}

const openNetworks = ({ server, outside }: { server: string; outside: string }): void => {
  for (const network of [server, outside]) {
    sh('ip', ['netns', 'add', network])
    sh('ip', ['-n', network, 'link', 'set', 'lo', 'up'])
  }
  sh('ip', ['-n', server, 'link', 'add', 'eth0', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', outside])
  for (const ip of SERVER_IPS) sh('ip', ['-n', server, 'address', 'add', `${ip}/24`, 'dev', 'eth0'])
  sh('ip', ['-n', outside, 'address', 'add', `${OUTSIDE_IP}/24`, 'dev', 'eth0'])
  for (const network of [server, outside]) sh('ip', ['-n', network, 'link', 'set', 'eth0', 'up'])
}

/** With it ends everything that was started inside. */
const startFirstProcess = async (folder: string): Promise<{ pid: number; close(): Promise<void> }> => {
  const mounts = [
    `mount --bind ${folder} ${folder}`,
    `mount -t proc proc ${folder}/proc`,
    `mount --rbind /dev ${folder}/dev`,
    `mount -t tmpfs tmpfs ${folder}/run`,
    `exec chroot ${folder} bash -c 'touch /run/ready; while :; do sleep 60 & wait $!; done'`,
  ].join(' && ')
  const child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'bash', '-c', mounts], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [inner = ''] = await until(() => {
    if (child.exitCode !== null) throw new Error('the fresh system ended')
    const list = `/proc/${child.pid}/task/${child.pid}/children`
    const pids = fs.existsSync(list) ? fs.readFileSync(list, 'utf8').trim().split(' ') : []
    return pids[0] && fs.existsSync(join('/proc', pids[0], 'root', 'run', 'ready')) ? pids : null
  }, 'the fresh system has its first process')
  return {
    pid: Number(inner),
    async close() {
      process.kill(Number(inner), 'SIGKILL')
      await ended
    },
  }
}
