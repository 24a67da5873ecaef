import type { DnsPublish, DnsRecord } from '@stoa/mail-model/dns.ts'
import { useIsPhone } from '@stoa/ui/browser/use-media-query.ts'
import { Status } from '@stoa/ui/display/badge.tsx'
import { recordTitle } from '../dns/purposes.ts'
import { actionLooks, changesOf, type PublishChange, plainMessage } from './publishing.ts'

type PublishResultProps = {
  publish: DnsPublish
  /** With these, what DNS says now and what it will say is shown too. */
  records?: readonly DnsRecord[]
}

/** What is done, or would be done, for each record. */
export const PublishResult = ({ publish, records }: PublishResultProps) => {
  const rows = changesOf(publish, records ?? [])
  const isPhone = useIsPhone()
  return (
    <div className="min-w-0 overflow-x-auto rounded-lg border border-line">
      <table className="w-full border-collapse text-left text-sm">
        <caption className="sr-only">{publish.dry_run ? 'Planned changes' : 'Published changes'}</caption>
        <thead>
          <tr className="border-line border-b text-faint text-xs">
            <th scope="col" className="px-3 py-1.5 font-medium">
              Record
            </th>
            {records === undefined || isPhone ? null : (
              <th scope="col" className="px-3 py-1.5 font-medium">
                Value
              </th>
            )}
            <th scope="col" className="px-3 py-1.5 font-medium">
              {publish.dry_run ? 'Plan' : 'Result'}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={row.key} className="align-top">
              <td className="px-3 py-2 phone:w-full phone:max-w-0">
                <p className="font-medium text-ink desk:whitespace-nowrap">
                  {recordTitle(row.result)} <span className="font-normal text-faint text-xs">{row.result.type}</span>
                </p>
                <p className="break-all font-mono text-faint text-xs">{row.result.name}</p>
                {records !== undefined && isPhone ? <Values change={row} /> : null}
              </td>
              {records === undefined || isPhone ? null : (
                <td className="w-full max-w-0 px-3 py-2">
                  <Values change={row} />
                </td>
              )}
              <ActionCell change={row} isDry={publish.dry_run} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Values = ({ change: { before, after } }: { change: PublishChange }) => (
  <div className="font-mono text-xs leading-text phone:mt-1">
    {before.map((text) => (
      <p key={text} title={text} className="text-failed-ink desk:truncate phone:line-clamp-3 phone:break-all">
        <span className="sr-only">Before: </span>
        <span aria-hidden>− </span>
        <del>{text}</del>
      </p>
    ))}
    {after === null ? null : (
      <p title={after} className="text-live-ink desk:truncate phone:line-clamp-3 phone:break-all">
        <span className="sr-only">After: </span>
        <span aria-hidden>+ </span>
        {after}
      </p>
    )}
  </div>
)

const ActionCell = ({ change: { result }, isDry }: { change: PublishChange; isDry: boolean }) => {
  const look = actionLooks[result.action]
  return (
    <td className="min-w-40 px-3 py-2 phone:min-w-32">
      <Status tone={look.tone}>{isDry ? look.planned : look.done}</Status>
      {result.message === null ? null : <p className="mt-0.5 text-muted text-xs">{plainMessage(result.message)}</p>}
    </td>
  )
}
