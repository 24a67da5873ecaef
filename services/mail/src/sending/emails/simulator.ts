import type { AttemptResult, ClaimedRecipient } from '../queue/queue.ts'

/** Recipients at TEST_DOMAIN that try out what can become of a mail, without one leaving. */
type Simulation = 'delivered' | 'bounced' | 'complained' | 'delayed' | 'suppressed'

const DELIVERED: AttemptResult = {
  kind: 'delivered',
  code: 250,
  status: '2.0.0',
  reply: '250 2.0.0 Accepted by the simulator',
  where: 'peer',
}

// None of these is about a real address, so none of them suppresses one.
const BOUNCED: AttemptResult = {
  kind: 'permanent',
  code: 550,
  status: '5.1.1',
  reply: '550 5.1.1 No such mailbox (simulator)',
  by: 'peer',
  isAddress: false,
}

const DELAYED: AttemptResult = {
  kind: 'temporary',
  code: null,
  status: '4.7.1',
  reply: '451 4.7.1 Try again later (simulator)',
  isDestination: false,
}

/** What the queue does with recipients at this domain; null for all others. */
export const simulate =
  (testDomain: string) =>
  ({ address, attempt }: ClaimedRecipient): AttemptResult | null => {
    const simulation = simulationOf(address, testDomain)
    if (simulation === null) return null
    if (simulation === 'suppressed') return { kind: 'suppressed' }
    if (simulation === 'bounced' || simulation === 'unknown') return BOUNCED
    return simulation === 'delayed' && attempt === 1 ? DELAYED : DELIVERED
  }

/** The recipient of this mail complains at once. */
export const isSimulatedComplaint = (recipient: string, testDomain: string): boolean =>
  simulationOf(recipient, testDomain) === 'complained'

/** To this one nothing is sent. */
export const isSimulatedSuppression = (recipient: string, testDomain: string): boolean =>
  simulationOf(recipient, testDomain) === 'suppressed'

/** What follows a `+` is free for tests. */
const simulationOf = (address: string, testDomain: string): Simulation | 'unknown' | null => {
  const at = address.lastIndexOf('@')
  if (address.slice(at + 1).toLowerCase() !== testDomain) return null
  const name = address.slice(0, at).toLowerCase().replace(/\+.*$/s, '')
  return isSimulation(name) ? name : 'unknown'
}

const SIMULATIONS: ReadonlySet<string> = new Set(['delivered', 'bounced', 'complained', 'delayed', 'suppressed'])

const isSimulation = (name: string): name is Simulation => SIMULATIONS.has(name)
