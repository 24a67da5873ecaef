import { type Address, address } from '../addresses.ts'
import { defineEvent, SAMPLE_ID } from './define.ts'

const addressEvent = (words: { label: string; when: string }) =>
  defineEvent({
    group: 'Addresses',
    ...words,
    data: address,
    sample: ({ at }): Address => ({
      object: 'address',
      id: SAMPLE_ID,
      domain_id: SAMPLE_ID,
      email: 'hello@example.com',
      local_part: 'hello',
      name: null,
      enabled: true,
      send_enabled: true,
      quota_bytes: null,
      used_bytes: 0,
      messages_count: 0,
      aliases: [],
      forward_to: [],
      keep_copy: true,
      recovery_email: null,
      spam_threshold: 5,
      digest: 'off',
      require_app_password: false,
      last_login_at: null,
      created_at: at,
      updated_at: at,
    }),
  })

export const addressEvents = {
  'address.created': addressEvent({ label: 'Created', when: 'An address was created' }),
  'address.updated': addressEvent({ label: 'Updated', when: 'An address was changed' }),
  'address.deleted': addressEvent({ label: 'Deleted', when: 'An address was deleted, on its own or with its domain' }),
}
