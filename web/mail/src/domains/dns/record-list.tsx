import type { DnsRecord } from '@stoa/mail-model/dns.ts'
import { Panel } from '@stoa/ui/display/panel.tsx'
import type { ReactNode } from 'react'
import { anchorOf, RecordRow } from './record-row.tsx'
import type { Look } from './states.ts'

export type OpenRecords = {
  isOpen: (record: DnsRecord) => boolean
  set: (record: DnsRecord, open: boolean) => void
}

type RecordListProps = {
  title: string
  description: string
  records: readonly DnsRecord[]
  opened: OpenRecords
  look: (record: DnsRecord) => Look
  actions?: ReactNode
}

export const RecordList = ({ title, description, records, opened, look, actions }: RecordListProps) =>
  records.length === 0 ? null : (
    <Panel flush title={title} description={description} actions={actions}>
      <ul className="divide-y divide-line">
        {records.map((record) => (
          <RecordRow
            key={anchorOf(record)}
            record={record}
            look={look(record)}
            open={opened.isOpen(record)}
            onOpen={(open) => opened.set(record, open)}
          />
        ))}
      </ul>
    </Panel>
  )
