import type { Proposal } from '@stoa/cms-model/assistant.ts'
import { type Plugin, pluginAsks } from '@stoa/cms-model/plugins.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Asks } from '../../plugins/asks.tsx'
import { pluginQuery } from '../../plugins/queries.ts'
import { asksForMore } from '../../plugins/words.ts'

export type Extras = {
  values: Readonly<Record<string, unknown>>
  /** The person has filled in everything that only they can supply. */
  isComplete: boolean
  secret: string
  setSecret: (secret: string) => void
  /** The plugin that asks for something nobody has agreed to. */
  asking: Plugin | undefined
  isAgreed: boolean
  setAgreed: (isAgreed: boolean) => void
}

/** What the assistant never gets to see or to decide: a client secret, and what a plugin may do. */
export const useExtras = (proposal: Proposal): Extras => {
  const [secret, setSecret] = useState('')
  const [isAgreed, setAgreed] = useState(false)
  const isSwitchedOn = proposal.tool === 'propose_plugin_state' && proposal.requests[0]?.body?.enabled === true
  const { data: plugin } = useQuery({ ...pluginQuery(proposal.target.id ?? ''), enabled: isSwitchedOn })
  const asking = isSwitchedOn && plugin && asksForMore(plugin) ? plugin : undefined
  return {
    values: {
      ...(proposal.tool === 'propose_social_app' && secret !== '' ? { clientSecret: secret } : {}),
      ...(asking && isAgreed ? { approve: pluginAsks.parse(asking) } : {}),
    },
    isComplete: asking === undefined || isAgreed,
    secret,
    setSecret,
    asking,
    isAgreed,
    setAgreed,
  }
}

export const ExtraInputs = ({ proposal, extras }: { proposal: Proposal; extras: Extras }) => {
  if (proposal.tool === 'propose_social_app')
    return (
      <Field
        label="Client secret"
        optional
        help="Sent to this site only, never to the assistant. Leave empty to keep the current secret."
      >
        <PasswordInput
          autoComplete="new-password"
          value={extras.secret}
          onChange={(event) => extras.setSecret(event.target.value)}
        />
      </Field>
    )
  if (extras.asking)
    return (
      <div className="flex flex-col gap-3 rounded-lg border border-line px-3 py-2.5">
        <Asks asks={extras.asking} none="It doesn't ask for any permissions." />
        <CheckboxField
          checked={extras.isAgreed}
          onChecked={extras.setAgreed}
          label={`Allow this for ${extras.asking.label}`}
        />
      </div>
    )
  return null
}
