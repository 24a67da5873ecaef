import type { Domain } from '@stoa/mail-model/domains.ts'
import { useMemo } from 'react'
import { sendSignedIn } from '../api.ts'
import { sendersApi } from '../senders/senders-api.ts'
import { SendersList } from '../senders/senders-list.tsx'

/** Services that may send in the name of the domain, and senders whose mail goes to Junk. */
export const SendersPanel = ({ domain }: { domain: Domain }) => {
  const api = useMemo(() => sendersApi(sendSignedIn, `/api/domains/${domain.id}/senders`), [domain.id])
  return (
    <SendersList
      api={api}
      description={`Mail from other servers that claims to be from ${domain.unicode_name} goes to Junk unless SPF or DKIM confirms it. Allow the services that send for you, and block senders for all addresses of this domain.`}
      allowLabel="Allow: send as this domain, and never treat as junk"
      initialAction="allow"
    />
  )
}
