import type { ImapFlow, ListResponse } from 'imapflow'
import { type FolderRole, listFolders, ROLE_FOLDERS, readMailbox } from '../../store/store.ts'
import { planFolders, type SourceFolder, type SourceNamespace } from './folders.ts'
import { TransferProblem } from './problems.ts'
import { insertPlan } from './progress-queries.ts'
import type { TransferRun } from './run.ts'

/** Lists the source's folders, and decides once what is copied and where to. Returns where the mailbox stands. */
export const planTransfer = async (run: TransferRun): Promise<number> => {
  const { claim, client } = run
  const listed = (await client.list({ statusQuery: { messages: true } })).map(toSourceFolder)
  const rolePaths = await findRolePaths(run)
  const wishes = { folders: claim.folders, excluded: claim.excludeFolders }
  const { planned, missing } = planFolders(listed, namespaceOf(client), wishes, rolePaths)
  const [absent] = missing
  if (absent !== undefined)
    throw new TransferProblem(`Folder ${JSON.stringify(absent)} doesn't exist on the server. Check its spelling.`)
  return run.write(async (tx) => {
    const { modseq } = await readMailbox(tx, claim.addressId)
    await insertPlan(tx, { id: claim.id, folders: planned, firstModseq: modseq })
    return modseq
  })
}

const toSourceFolder = (entry: ListResponse): SourceFolder => ({
  path: entry.path,
  delimiter: entry.delimiter || null,
  specialUse: entry.specialUse ?? null,
  isSaid: entry.specialUseSource === 'extension',
  flags: entry.flags,
  messages: Math.min(entry.status?.messages ?? 0, MAX_COUNT),
})

/** Columns of PostgreSQL end there; servers may say anything. */
const MAX_COUNT = 2 ** 24

const namespaceOf = (client: ImapFlow): SourceNamespace => {
  const { other, shared } = client.namespaces ?? {}
  return {
    prefix: client.namespace?.prefix ?? '',
    foreign: [other, shared].flatMap((spaces) => (spaces ? spaces.map(({ prefix }) => prefix) : [])),
  }
}

const findRolePaths = async ({ parts, claim }: TransferRun): Promise<Record<FolderRole, string>> => {
  const paths: Record<FolderRole, string> = { ...ROLE_FOLDERS }
  for (const { role, path } of await listFolders(parts.database.db, claim.addressId))
    if (role !== null && role !== 'important') paths[role] = path
  return paths
}
