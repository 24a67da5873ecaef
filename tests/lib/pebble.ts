import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { selfSignedCertificate } from './certificate.ts'
import { freePort } from './free-port.ts'
import { findProgram } from './programs.ts'
import { until } from './waiting.ts'

/** Let's Encrypt's own test server, if it is on the PATH. */
export const findPebble = (): string | undefined => findProgram(['pebble'])

/** Why tests with it are left out: never in CI, where a missing one must not look like a passed test. */
export const missingPebble = (): string | false =>
  findPebble() || process.env.CI ? false : 'no pebble: install the Debian package of this name'

export type Pebble = {
  readonly directory: string
  /** To be trusted for its https. */
  readonly ca: string
  /** The root certificate that clients trust. */
  root(): Promise<string>
  close(): Promise<void>
}

export type PebbleOptions = {
  challengePort: number
  dns: string
  /** The address to listen on; 127.0.0.1 if absent. */
  host?: string
}

/** A real ACME server. It asks `dns` for addresses and the names themselves for their challenges on `challengePort`. */
export const startPebble = async (options: PebbleOptions): Promise<Pebble> => {
  const program = findPebble()
  if (!program) throw new Error('pebble is not installed')
  const folder = await mkdtemp(join(tmpdir(), 'pebble-'))
  const { host = '127.0.0.1' } = options
  const own = selfSignedCertificate([host])
  const [certificate, privateKey, config] = ['cert.pem', 'key.pem', 'config.json'].map((name) => join(folder, name))
  const [port, managementPort] = [await freePort(), await freePort()]
  await writeFile(String(certificate), own.cert)
  await writeFile(String(privateKey), own.key)
  const pebble = {
    listenAddress: `${host}:${port}`,
    managementListenAddress: `${host}:${managementPort}`,
    certificate,
    privateKey,
    httpPort: options.challengePort,
    tlsPort: options.challengePort,
  }
  await writeFile(String(config), JSON.stringify({ pebble }))
  // By default Pebble waits some seconds before it validates, and rejects one nonce in twenty, which a CA may do.
  const env = { ...process.env, PEBBLE_VA_NOSLEEP: '1' }
  const child = spawn(program, ['-config', String(config), '-dnsserver', options.dns], { env, stdio: 'ignore' })
  const ended = once(child, 'close')
  const read = (url: string): Promise<string> =>
    new Promise((resolve, reject) => {
      get(url, { ca: own.cert }, (response) => text(response).then(resolve, reject)).on('error', reject)
    })
  const directory = `https://${host}:${port}/dir`
  await until(() => {
    if (child.exitCode !== null) throw new Error(`pebble ended with ${child.exitCode}`)
    return read(directory).catch(() => null)
  }, 'pebble answers')
  return {
    directory,
    ca: own.cert,
    root: () => read(`https://${host}:${managementPort}/roots/0`),
    async close() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
