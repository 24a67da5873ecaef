import { execFileSync } from 'node:child_process'

/** One end of a link: its interface, the address at the other end, and its namespace if that is not ours. */
export type LinkEnd = { device: string; peer: string; namespace?: string }

/** No interface has it. */
const NOBODY = '02:00:00:00:00:01'

/**
 * What these ends send is lost without a word, as on a broken cable. The link stays up: without its route, packets would take
 * the default one, out of this machine, and whoever is there may answer them.
 */
export const losePackets = (ends: readonly LinkEnd[]): void => {
  for (const { device, peer, namespace } of ends)
    neighbor(namespace, 'replace', peer, 'lladdr', NOBODY, 'nud', 'permanent', 'dev', device)
}

/** They arrive again. */
export const deliverPackets = (ends: readonly LinkEnd[]): void => {
  for (const { device, peer, namespace } of ends) neighbor(namespace, 'del', peer, 'dev', device)
}

const neighbor = (namespace: string | undefined, ...args: string[]): void => {
  execFileSync('ip', [...(namespace === undefined ? [] : ['-n', namespace]), 'neigh', ...args])
}
