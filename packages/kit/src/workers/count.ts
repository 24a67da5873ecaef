import { availableParallelism } from 'node:os'
import { processesThatFit } from '../db/connections.ts'

/** More of them gain little while one PostgreSQL serves them all, and each has its pool of connections. */
const MOST_WORKERS = 8

/** What a machine has room for: a process for each core. */
export const mostWorkers = (): number => Math.min(availableParallelism(), MOST_WORKERS)

/** For the reference. */
export const workersText = 'the number of cores, at most 8'

/** How many processes share the ports: as many as were asked for, else one for each core that the database can serve. */
export const countWorkers = async ({
  workers,
  url,
  poolSize,
}: {
  workers: number | null
  url: string
  poolSize: number
}): Promise<number> => {
  const wanted = workers ?? mostWorkers()
  return wanted === 1 || workers !== null ? wanted : processesThatFit(url, wanted, poolSize)
}
