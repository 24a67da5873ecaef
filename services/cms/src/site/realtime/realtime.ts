import type { Server } from 'node:http'
import type { Services } from '../../context.ts'
import { createHub, type HubOptions } from './hub.ts'
import { createUpgrade, isSocketRequest, type Upgrade } from './upgrade.ts'

export { BROADCAST_HISTORY } from './audience.ts'

export type RealtimeOptions = HubOptions

/** The sockets of this process: how they are opened, and how they all end. */
export type Realtime = {
  /** Takes an upgrade request over; false when it is not for a socket of this service, and untouched. */
  upgrade: Upgrade
  /** How many sockets are open. */
  readonly sockets: number
  /** Lets nobody in any more, and says goodbye to everyone. */
  stop(): Promise<void>
}

export const createRealtime = (services: Services, options: RealtimeOptions = {}): Realtime => {
  const hub = createHub(services, options)
  const door = createUpgrade(services, hub)
  return {
    upgrade: door.upgrade,
    get sockets() {
      return hub.count().all
    },
    async stop() {
      door.stop()
      await hub.stop()
    },
  }
}

/** Has a server hand its sockets over. A request for any other upgrade is answered as if it had not asked for one. */
export const serveSockets = (server: Server, { upgrade }: Realtime): void => {
  Object.assign(server, { shouldUpgradeCallback: isSocketRequest })
  server.on('upgrade', upgrade)
}
