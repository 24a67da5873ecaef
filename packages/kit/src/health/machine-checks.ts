import { X509Certificate } from 'node:crypto'
import { stat, statfs } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import type { Finding } from './health.ts'

const GIB = 2 ** 30
const DAY_MS = 86_400_000

/** The room left on the disk of a folder. */
export const checkDisk = async (folder: string): Promise<Finding> => {
  const { bavail, blocks, bsize } = await statfs(await nearestFolder(folder))
  return judgeDisk({ free: bavail * bsize, total: blocks * bsize, folder })
}

/** The folder itself is made when the first file is stored. */
const nearestFolder = async (folder: string): Promise<string> => {
  const parent = dirname(folder)
  const isThere = parent === folder || (await stat(folder).catch(() => null)) !== null
  return isThere ? folder : nearestFolder(parent)
}

export const judgeDisk = ({ free, total, folder }: { free: number; total: number; folder: string }): Finding => {
  const percent = total === 0 ? 0 : Math.floor((free / total) * 100)
  const message = `${percent}% of the disk (${(free / GIB).toFixed(1)} GiB) is free.`
  const action = `Free up space, or move ${folder} to a larger disk.`
  if (percent < 3 || free < GIB / 4) return { status: 'error', message, action, value: percent }
  if (percent < 10 || free < GIB) return { status: 'warning', message, action, value: percent }
  return { status: 'ok', message, value: percent }
}

export type ListeningPort = { label: string; port: number }

/** Whether somebody answers on these ports of this machine. */
export const checkPorts = async (host: string, ports: readonly ListeningPort[], action: string): Promise<Finding> => {
  if (ports.length === 0) return { status: 'ok', message: 'This process serves no ports.' }
  const states = await Promise.all(ports.map(async (one) => ({ ...one, isOpen: await answers(host, one.port) })))
  const closed = states.filter(({ isOpen }) => !isOpen).map(({ label, port }) => `${label} (${port})`)
  if (closed.length === 0)
    return {
      status: 'ok',
      message: ports.length === 1 ? 'The port accepts connections.' : `All ${ports.length} ports accept connections.`,
      value: ports.length,
    }
  return { status: 'error', message: `Not listening: ${closed.join(', ')}.`, action, value: closed.length }
}

const CONNECT_MS = 2_000
/** An address that stands for all of the machine's is reached by the nearest one. */
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

const answers = (host: string, port: number): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host: EVERYWHERE.has(host) ? '127.0.0.1' : host, port, timeout: CONNECT_MS })
  socket.once('connect', () => resolve(true))
  for (const event of ['error', 'timeout', 'close']) socket.once(event, () => resolve(false))
  return promise.finally(() => socket.destroy())
}

/** A PEM chain against the name that clients connect to. */
export const judgeCertificate = (pem: string, { hostname, now }: { hostname: string; now: Date }): Finding => {
  const certificate = new X509Certificate(pem)
  const days = Math.floor((certificate.validToDate.getTime() - now.getTime()) / DAY_MS)
  const action = `Replace the certificate with a valid one for ${hostname}.`
  if (days < 0) return { status: 'error', message: 'The certificate has expired.', action, value: days }
  if (certificate.validFromDate > now)
    return { status: 'error', message: "The certificate isn't valid yet.", action: "Check this server's clock." }
  if (certificate.checkHost(hostname) === undefined)
    return { status: 'error', message: `The certificate isn't for ${hostname}.`, action, value: days }
  const message = `The certificate expires in ${days === 1 ? '1 day' : `${days} days`}.`
  if (days < 14)
    return {
      status: 'warning',
      message,
      action: 'Renew the certificate, and check its automatic renewal.',
      value: days,
    }
  return { status: 'ok', message, value: days }
}
