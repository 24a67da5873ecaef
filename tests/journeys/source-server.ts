import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startImapGround } from '@stoa/mail/doors/imap/testing/ground.ts'
import { MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { ImapFlow } from 'imapflow'
import { freePort } from '../lib/free-port.ts'

/** An IMAP server of somebody else, with one mailbox. */
export type SourceServer = {
  name: string
  port: number
  /** How mail is copied from there. */
  security: 'none' | 'starttls'
  username: string
  password: string
  /** Paths of the folder for sent mail, and of one that can be made. */
  sent: string
  projects: string
  close(): Promise<void>
}

type Login = Pick<SourceServer, 'port' | 'security' | 'username' | 'password'>

const PASSWORD = 'the-password-at-the-old-place'
const PATIENCE_MS = 15_000
/** Who mail belongs to where nobody else may be root: nobody and nogroup. */
const NOBODY = 65_534

/** Debian's dovecot, if it is installed and can be started; null otherwise. */
export const startDovecot = async (): Promise<SourceServer | null> => {
  if (process.getuid?.() !== 0 || !dovecotVersion().startsWith('2.3.')) return null
  const folder = await mkdtemp(join(tmpdir(), 'stoa-dovecot-'))
  await chmod(folder, 0o755)
  for (const name of ['mail', 'home', 'run', 'state']) await mkdir(join(folder, name))
  for (const name of ['mail', 'home']) await chown(join(folder, name), NOBODY, NOBODY)
  const port = await freePort()
  await writeFile(join(folder, 'dovecot.conf'), configOf(folder, port))
  const child = spawn(BINARY, ['-F', '-c', join(folder, 'dovecot.conf')], { stdio: 'ignore' })
  const close = async (): Promise<void> => {
    await end(child)
    await rm(folder, { recursive: true, force: true })
  }
  const login: Login = { port, security: 'none', username: 'old', password: PASSWORD }
  try {
    await untilSignedIn(login, child)
    return { name: 'dovecot', ...login, sent: 'INBOX.Gesendet', projects: 'INBOX.Projekte.Dächer', close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Our own IMAP server, on a database of its own: where no other server is installed. */
export const startOwnDoor = async (): Promise<SourceServer> => {
  const ground = await startImapGround()
  const { email } = await ground.address()
  const login: Login = { port: ground.server.port, security: 'none', username: email, password: MAILBOX_PASSWORD }
  return { name: 'our own door', ...login, sent: 'Sent', projects: 'Projekte/Dächer', close: ground.close }
}

/** A connection to a source, for filling it and for looking at what arrived. */
export const signIn = async (server: Login): Promise<ImapFlow> => {
  const client = new ImapFlow({
    host: '127.0.0.1',
    port: server.port,
    secure: false,
    doSTARTTLS: server.security === 'starttls',
    // It is its own authority.
    tls: { rejectUnauthorized: false },
    auth: { user: server.username, pass: server.password },
    logger: false,
    disableAutoIdle: true,
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const BINARY = '/usr/sbin/dovecot'

const dovecotVersion = (): string => {
  try {
    return execFileSync(BINARY, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return ''
  }
}

const configOf = (folder: string, port: number): string => `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:${folder}/mail
first_valid_uid = 1
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${NOBODY} gid=${NOBODY} home=${folder}/home
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
namespace inbox {
  inbox = yes
  separator = .
  prefix = INBOX.
  mailbox Gesendet {
    auto = subscribe
    special_use = \\Sent
  }
}
`

const untilSignedIn = async (server: Login, child: ChildProcess): Promise<void> => {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return await (await signIn(server)).logout()
    } catch (error) {
      if (child.exitCode !== null || performance.now() > end) throw error
      await sleep(50)
    }
  }
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
