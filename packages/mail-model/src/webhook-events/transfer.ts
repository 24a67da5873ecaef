import { type Transfer, transfer } from '../transfers.ts'
import { defineEvent, SAMPLE_ID, type SampleContext } from './define.ts'

const transferSample = ({ at }: Pick<SampleContext, 'at'>): Transfer => ({
  object: 'transfer',
  id: SAMPLE_ID,
  address_id: SAMPLE_ID,
  address: 'hello@example.com',
  host: 'imap.example.org',
  port: 993,
  security: 'tls',
  username: 'hello@example.org',
  status: 'completed',
  folders_total: 6,
  folders_done: 6,
  messages_total: 120,
  messages_copied: 118,
  messages_skipped: 2,
  messages_failed: 0,
  bytes_copied: 4_194_304,
  current_folder: null,
  error: null,
  created_at: at,
  started_at: at,
  finished_at: at,
})

export const transferEvents = {
  'transfer.completed': defineEvent({
    group: 'Transfers',
    label: 'Completed',
    when: 'A mailbox was copied from another server',
    data: transfer,
    sample: transferSample,
  }),
  'transfer.failed': defineEvent({
    group: 'Transfers',
    label: 'Failed',
    when: "A mailbox couldn't be copied from another server",
    data: transfer,
    sample: (context): Transfer => ({
      ...transferSample(context),
      status: 'failed',
      error: 'The server rejected the username or password.',
    }),
  }),
}
