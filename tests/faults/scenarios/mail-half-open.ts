import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { within } from '../limits.ts'
import { losePackets } from '../lost-packets.ts'
import { type MailGround, openMailGround } from '../mail-ground.ts'
import { sendOne } from '../mail-load.ts'
import type { Report } from '../outcomes.ts'
import { until } from '../readiness.ts'

/** Names of this run, so that two on a machine do not meet. */
const ID = process.pid % 10_000
const SPACE = `stoa${ID}`
const [OUTER, INNER] = [`st${ID}o`, `st${ID}i`]
const [HOST, CLIENT] = [`10.231.${ID % 250}.1`, `10.231.${ID % 250}.2`]
/** A sender may be silent for five minutes between two commands. */
const MAX_SENDER_MS = within(330_000)
/** A reader in IDLE gets a line from us after four minutes; when that is not acknowledged, the kernel gives up within 16 more. */
const MAX_READER_MS = within(1_260_000)
const MAX_PER_BOX = 20

/**
 * The network of clients goes in the middle of what they do, without a word: the service finds out by itself, frees their
 * places and keeps nothing of what was half said.
 */
export const mailHalfOpen = async ({ links = MAX_PER_BOX } = {}): Promise<Report> => {
  const ground = await openMailGround({ env: { MAIL_HOST: '0.0.0.0', LIMIT_EXEMPT: `127.0.0.0/8,${CLIENT}/32` } })
  try {
    openNetwork()
    const clients = await startClients(ground, links)
    const opened = [linksAt(ground.smtpPort), linksAt(ground.imapPort)]
    losePackets([
      { device: OUTER, peer: CLIENT },
      { device: INNER, peer: HOST, namespace: SPACE },
    ])
    clients.kill('SIGKILL')
    const began = performance.now()
    const since = async (port: number, limitMs: number): Promise<number> => {
      const gone = until('the links are given up', () => linksAt(port) === 0, { limitMs, everyMs: 500 })
      return gone.then(
        () => performance.now() - began,
        () => Number.POSITIVE_INFINITY,
      )
    }
    const broken: string[] = []
    const another = await ground.signIn().catch(() => null)
    another?.close()
    if (another) broken.push('the mailbox was not full, so that nothing was shown')
    const [smtpMs = 0, imapMs = 0] = await Promise.all([
      since(ground.smtpPort, MAX_SENDER_MS),
      since(ground.imapPort, MAX_READER_MS),
    ])
    if (!Number.isFinite(smtpMs)) broken.push(`${linksAt(ground.smtpPort)} dead links of senders are still held`)
    if (!Number.isFinite(imapMs)) broken.push(`${linksAt(ground.imapPort)} dead links of readers are still held`)
    const back = await ground.signIn().catch((error: Error) => error)
    if (back instanceof Error) broken.push(`nobody can sign in again: ${back.message}`)
    else back.close()
    const code = await sendOne(ground.smtpPort, 'after@outside.test', ground.boxes.emails[0] ?? '')
    if (code !== '250') broken.push(`afterwards a message was answered ${code}`)
    const { rows } = await ground.boxes.database.pool.query(`select 1 from message where subject = 'cut'`)
    if (rows.length > 0) broken.push('half of a message was kept')
    broken.push(...(await ground.boxes.check({ acknowledged: new Set(['after@outside.test']) })))
    return {
      figures: {
        senders: opened[0] ?? 0,
        readers: opened[1] ?? 0,
        senders_gone_ms: Math.round(smtpMs),
        readers_gone_ms: Math.round(imapMs),
      },
      broken,
    }
  } finally {
    closeNetwork()
    await ground.close()
  }
}

const openNetwork = (): void => {
  const run = (...args: string[]) => execFileSync('ip', args)
  run('netns', 'add', SPACE)
  run('link', 'add', OUTER, 'type', 'veth', 'peer', 'name', INNER)
  run('link', 'set', INNER, 'netns', SPACE)
  run('addr', 'add', `${HOST}/30`, 'dev', OUTER)
  run('link', 'set', OUTER, 'up')
  run('-n', SPACE, 'addr', 'add', `${CLIENT}/30`, 'dev', INNER)
  run('-n', SPACE, 'link', 'set', INNER, 'up')
}

const closeNetwork = (): void => {
  for (const args of [
    ['link', 'del', OUTER],
    ['netns', 'del', SPACE],
  ])
    try {
      execFileSync('ip', args, { stdio: 'ignore' })
    } catch {
      // It was not made.
    }
}

const startClients = async (ground: MailGround, links: number): Promise<ChildProcess> => {
  const program = fileURLToPath(new URL('../half-open-clients.ts', import.meta.url))
  const { smtpPort, imapPort, boxes } = ground
  const args = [HOST, smtpPort, imapPort, links, boxes.emails[0] ?? '', MAILBOX_PASSWORD].map(String)
  const child = spawn('ip', ['netns', 'exec', SPACE, process.execPath, program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [event] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  if (!String(event).startsWith('open')) throw new Error('the clients could not connect')
  return child
}

/** Connections of the clients that the service still holds. */
const linksAt = (port: number): number =>
  execFileSync('ss', ['-Htn', 'state', 'established', 'src', `${HOST}:${port}`], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(CLIENT)).length
