import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { ASK_EVERY_MS } from './balancer.ts'

/** Where connections may be led. `isReady` is asked all the time, as balancers do. */
export type TcpTarget = { host: string; port: number; isReady(): Promise<boolean> }

/** A balancer for TCP like the usual ones, with health checks. */
export type TcpBalancer = {
  readonly port: number
  /** Also from now on. */
  add(target: TcpTarget): void
  close(): Promise<void>
}

export type TcpBalancerOptions = {
  /** Says at the start of each connection who it is for (PROXY protocol, version 1). */
  saysWho?: boolean
  /** Listens for machines on other networks too. */
  host?: string
  /** A check that takes longer has failed. */
  checkMs?: number
  /** Leaves the connections of a target that is not ready any more to their ends. */
  keepsConnections?: boolean
}

const CONNECT_MS = 1_000
const CHECK_MS = 2_000
/** After so many failed checks in a row, the target is away. */
const FALL = 3

/** New connections go to the targets in turn that are ready. Those of a target that is not ready any more are cut, unless kept. */
export const startTcpBalancer = async (
  first: readonly TcpTarget[],
  { saysWho = false, host = '127.0.0.1', checkMs = CHECK_MS, keepsConnections = false }: TcpBalancerOptions = {},
): Promise<TcpBalancer> => {
  const targets = first.map((target) => watch(target, checkMs, keepsConnections))
  let turn = 0
  const lead = async (client: Socket): Promise<void> => {
    client.on('error', () => client.destroy())
    turn += 1
    const inTurn = targets
      .map((_, at) => targets[(turn + at) % targets.length])
      .filter((target) => target !== undefined)
    for (const target of inTurn.filter(({ isUp }) => isUp())) {
      const server = await connectTo(target.at)
      if (!server) continue
      target.join(client, server)
      if (saysWho) server.write(`PROXY TCP4 ${plain(client.remoteAddress)} 127.0.0.1 ${client.remotePort} 0\r\n`)
      return
    }
    client.destroy()
  }
  // The client waits: what it says meanwhile stays in its socket.
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (client) => void lead(client))
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    add: (target) => void targets.push(watch(target, checkMs, keepsConnections)),
    async close() {
      server.close()
      for (const target of targets) target.stop()
      await once(server, 'close')
    },
  }
}

const plain = (address = '127.0.0.1'): string => address.replace('::ffff:', '')

const watch = (at: TcpTarget, checkMs: number, keepsConnections: boolean) => {
  const pairs = new Set<readonly [Socket, Socket]>()
  let failures = FALL
  let isStopped = false
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  const keepAsking = async () => {
    while (!isStopped) {
      failures = (await inTime(at.isReady(), checkMs)) ? 0 : failures + 1
      if (failures >= FALL && !keepsConnections) cut()
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
    }
  }
  void keepAsking()
  return {
    at,
    isUp: () => failures < FALL,
    join(client: Socket, server: Socket) {
      const pair = [client, server] as const
      pairs.add(pair)
      for (const [from, to] of [pair, [server, client] as const]) {
        from.pipe(to)
        from.on('error', () => to.destroy())
        from.on('close', () => {
          pairs.delete(pair)
          to.destroy()
        })
      }
    },
    stop() {
      isStopped = true
      cut()
    },
  }
}

const inTime = (check: Promise<boolean>, limitMs: number): Promise<boolean> => {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, limitMs, false).unref())
  return Promise.race([check.catch(() => false), late])
}

const connectTo = ({ host, port }: TcpTarget): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, noDelay: true })
    const give = (found: Socket | null) => {
      clearTimeout(timer)
      if (!found) socket.destroy()
      resolve(found)
    }
    const timer = setTimeout(give, CONNECT_MS, null)
    socket.once('connect', () => give(socket))
    socket.on('error', () => give(null))
  })
