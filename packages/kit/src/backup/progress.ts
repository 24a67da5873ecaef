import type { Report } from './source.ts'

/** Reports the progress of long work every few seconds. */
export type Progress = {
  begin(what: string): void
  add(items: number, bytes: number): void
  end(): void
}

const PAUSE_MS = 5_000

export const createProgress = (service: string, report: Report): Progress => {
  let what = ''
  let items = 0
  let bytes = 0
  let reportedAt = performance.now()
  const reportNow = (): void => {
    reportedAt = performance.now()
    report(`${service}: ${items.toLocaleString('en-US')} ${what}, ${sizeText(bytes)}`)
  }
  return {
    begin(next) {
      if (items > 0) reportNow()
      what = next
      items = 0
      bytes = 0
    },
    add(more, moreBytes) {
      items += more
      bytes += moreBytes
      if (performance.now() - reportedAt >= PAUSE_MS) reportNow()
    },
    end: reportNow,
  }
}

/** For the list of files, which is stored like the rows of a table but is none. */
export const withoutItems = (progress: Progress): Progress => ({
  ...progress,
  add: (_items, bytes) => progress.add(0, bytes),
})

const MIB = 2 ** 20

const sizeText = (bytes: number): string =>
  bytes >= 1_024 * MIB ? `${(bytes / 1_024 / MIB).toFixed(1)} GiB` : `${(bytes / MIB).toFixed(1)} MiB`
