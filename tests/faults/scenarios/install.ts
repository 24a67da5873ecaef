import { type ChildProcess, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProgram } from '../../lib/programs.ts'
import { until } from '../../lib/waiting.ts'
import { type FreshRoot, OUTSIDE_IP, openFreshRoot } from '../install/fresh-root.ts'
import { readGuide, type Step } from '../install/guide.ts'
import type { OutsideRequest, World } from '../install/world.ts'
import type { Report } from '../outcomes.ts'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
const CMS_IP = '203.0.113.10'
const MAIL_IP = '203.0.113.11'
const NAMES = { 'cms.example.com': CMS_IP, 'mail.example.com': MAIL_IP }
const OPEN_PORTS = { [CMS_IP]: [80, 443], [MAIL_IP]: [25, 80, 143, 443, 465, 587, 993] }
const CLOSED_PORTS = { [CMS_IP]: [4300, 9431], [MAIL_IP]: [4400, 9441] }
const NEEDED = ['debootstrap', 'pebble', 'ip', 'nsenter', 'unshare']
/** What must be right on a server that followed the guide; its addresses are of no real network. */
const CHECKS = [
  'cms ports',
  'cms certificate',
  'cms jobs',
  'cms database',
  'cms clock',
  'mail ports',
  'mail certificate',
].concat(['mail queue', 'mail jobs', 'mail database', 'mail clock'])

/**
 * Follows docs/install.md word for word on an empty Debian system, to the first mail and the first published entry.
 * INSTALL_BASE may name a system that debootstrap made before, which saves some minutes.
 */
export const install = async ({ suite = 'trixie', base = process.env.INSTALL_BASE } = {}): Promise<Report> => {
  const missing = NEEDED.filter((name) => !findProgram([name]))
  if (missing.length > 0 || process.getuid?.() !== 0)
    return { figures: {}, broken: [`needs root, and these programs: ${NEEDED.join(', ')}`] }
  const began = performance.now()
  const root = await openFreshRoot(suite, base)
  const figures: Report['figures'] = { suite, seconds_base: secondsSince(began) }
  try {
    copyRepository(root)
    const outside = await openOutside(root)
    try {
      const broken = await follow(root, outside, figures)
      return { figures: { ...figures, seconds: secondsSince(began) }, broken }
    } finally {
      outside.close()
    }
  } finally {
    await root.close()
  }
}

const secondsSince = (began: number): number => Math.round((performance.now() - began) / 1000)

/** What is committed here, and a commit on top of it for the update. */
const copyRepository = ({ folder }: FreshRoot): void => {
  const git = (...args: string[]) => {
    const { status, stderr } = spawnSync('git', args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
  git('clone', '--quiet', '--depth', '1', `file://${REPOSITORY}`, join(folder, 'rehearsal/repository'))
}

type Outside = { world: World; ask<T>(request: OutsideRequest): Promise<T>; close(): void }

const openOutside = async (root: FreshRoot): Promise<Outside> => {
  const file = fileURLToPath(new URL('../install/outside.ts', import.meta.url))
  const child = root.outside(file, [OUTSIDE_IP, JSON.stringify(NAMES)])
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the outside ended')))
  ended.catch(() => undefined)
  const world = await nextAnswer<World>(child, ended)
  // The authority is a stranger to this system, as Let's Encrypt is not to a real one.
  fs.writeFileSync(join(root.folder, 'rehearsal/authority.crt'), world.ca)
  const dropIn = join(root.folder, 'etc/systemd/system/stoa@.service.d')
  fs.mkdirSync(dropIn, { recursive: true })
  fs.writeFileSync(
    join(dropIn, 'rehearsal.conf'),
    `[Service]\nEnvironment=ACME_DIRECTORY=${world.directory}\nEnvironment=NODE_EXTRA_CA_CERTS=/rehearsal/authority.crt\n`,
  )
  return {
    world,
    async ask<T>(request: OutsideRequest) {
      child.send(request)
      return nextAnswer<T>(child, ended)
    },
    close: () => child.disconnect(),
  }
}

const nextAnswer = async <T>(child: ChildProcess, ended: Promise<never>): Promise<T> => {
  const [message] = await Promise.race([once(child, 'message'), ended])
  if ('error' in message) throw new Error(message.error)
  return message.result
}

const follow = async (root: FreshRoot, outside: Outside, figures: Report['figures']): Promise<string[]> => {
  let doctor = ''
  const steps = readGuide()
  for (const step of steps) {
    const began = performance.now()
    prepare(root, outside, step)
    const { code, output } = await root.run(step.commands, step)
    const label = `seconds_${step.title
      .toLowerCase()
      .replace(/^\d+\. /, '')
      .replace(/\W+/g, '_')}`
    figures[label] = Number(figures[label] ?? 0) + secondsSince(began)
    if (code !== 0)
      return [`${step.title}: the commands ended with ${code}:\n${step.commands}\n${output}\n${logsOf(root)}`]
    if (step.commands.includes('imaps://') && !output.includes('It works.'))
      return [`${step.title}: no mail: ${output}`]
    if (step.commands.includes('/content/') && !output.includes('<p>World</p>'))
      return [`${step.title}: no entry: ${output}`]
    if (step.commands.includes('doctor')) doctor = output
  }
  figures.steps = steps.length
  figures.doctor_ok = doctor.match(/^✓/gm)?.length ?? 0
  figures.doctor_not_ok = doctor.match(/^[!✗]/gm)?.length ?? 0
  return [...judgeDoctor(doctor), ...(await tryFromOutside(outside, figures))]
}

/** What a real server has from its first minute, and what happens in the world between two steps. */
const prepare = (root: FreshRoot, { world }: Outside, { title, commands }: Step): void => {
  const bundle = join(root.folder, 'etc/ssl/certs/ca-certificates.crt')
  if (title.startsWith('7.') && !fs.readFileSync(bundle, 'utf8').includes(world.root))
    fs.appendFileSync(bundle, world.root)
  if (commands.includes('git pull')) {
    const identity = ['-c', 'user.name=Stoa', '-c', 'user.email=stoa@example.com']
    const commit = ['commit', '--quiet', '--allow-empty', '--message', 'a new version']
    spawnSync('git', ['-C', join(root.folder, 'rehearsal/repository'), ...identity, ...commit])
  }
}

const judgeDoctor = (output: string): string[] =>
  CHECKS.filter((check) => !output.includes(`✓ ${check}:`)).map((check) => `doctor: ${check} is not ok:\n${output}`)

const tryFromOutside = async (outside: Outside, figures: Report['figures']): Promise<string[]> => {
  const broken: string[] = []
  const tryPorts = async (wanted: Readonly<Record<string, readonly number[]>>, shouldBeOpen: boolean) => {
    for (const [address, ports] of Object.entries(wanted)) {
      const states = await outside.ask<{ port: number; isOpen: boolean }[]>({ ask: 'ports', address, ports })
      for (const { port, isOpen } of states)
        if (isOpen !== shouldBeOpen) broken.push(`${address}:${port} is ${isOpen ? 'open' : 'closed'} to the outside`)
    }
  }
  await isBack(outside)
  await tryPorts(OPEN_PORTS, true)
  await tryPorts(CLOSED_PORTS, false)
  const refusal = await outside.ask<string>({ ask: 'mail', address: MAIL_IP, recipient: 'you@example.com' })
  figures.mail_from_outside = refusal === '' ? 'accepted' : 'refused'
  if (refusal !== '') broken.push(`a mail from outside was refused: ${refusal}`)
  return broken
}

/** The last step of the guide is a restart. */
const isBack = (outside: Outside): Promise<true> =>
  until(async () => {
    const ports = OPEN_PORTS[MAIL_IP]
    const mail = await outside.ask<{ isOpen: boolean }[]>({ ask: 'ports', address: MAIL_IP, ports })
    const cms = await outside.ask<{ isOpen: boolean }[]>({ ask: 'ports', address: CMS_IP, ports: OPEN_PORTS[CMS_IP] })
    return [...mail, ...cms].every(({ isOpen }) => isOpen)
  }, 'both services are back after the update').then(() => true)

const LOG_LINES = 15

const logsOf = ({ folder }: FreshRoot): string =>
  ['stoa@cms', 'stoa@mail']
    .map((unit) => join(folder, 'var/log', `${unit}.log`))
    .filter((file) => fs.existsSync(file))
    .map((file) => `${file}:\n${fs.readFileSync(file, 'utf8').split('\n').slice(-LOG_LINES).join('\n')}`)
    .join('\n')
