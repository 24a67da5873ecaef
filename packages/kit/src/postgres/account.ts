import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'

/** The system account that PostgreSQL runs under when we are root: it refuses to run as root itself. */
export type SystemAccount = { uid: number; gid: number }

/** Undefined for an ordinary user: PostgreSQL then runs as that user. */
export const chooseAccount = (cluster: string): SystemAccount | undefined => {
  const owner = ownerOf(cluster)
  if (process.getuid?.() !== 0) {
    if (!owner || owner.uid === process.getuid?.()) return undefined
    throw new Error(
      `${cluster} belongs to the system user ${owner.uid}. Start as root or as that user, or choose another DATA_DIR.`,
    )
  }
  // An existing cluster keeps its owner, whichever accounts the machine has gained or lost since.
  if (owner && owner.uid !== 0) return owner
  const account = lookUp('postgres') ?? lookUp('nobody')
  if (!account) throw new Error('PostgreSQL can\'t run as root, and there is no user "postgres" or "nobody".')
  return account
}

/** Asks the system, because mode bits alone don't decide it (ACLs, noexec mounts, parents without x). */
export const canExecute = (account: SystemAccount | undefined, path: string): boolean =>
  !account || spawnSync('test', ['-x', path], account).status === 0

const ownerOf = (path: string): SystemAccount | undefined => {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && { uid: stat.uid, gid: stat.gid }
}

const lookUp = (name: string): SystemAccount | undefined => {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
  if (uid?.status !== 0 || gid?.status !== 0) return undefined
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}
