import type { AiConnection } from '@stoa/cms-model/ai.ts'
import type { VisitorSettings } from '@stoa/cms-model/visitor.ts'
import { Status } from '@stoa/ui/display/badge.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Form } from '@stoa/ui/form/form.tsx'
import { StickyFormActions } from '@stoa/ui/form/sticky-form-actions.tsx'
import { SwitchField } from '@stoa/ui/form/switch.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { aiQuery } from '../assistant/queries.ts'
import { AI_PATH } from '../assistant/screens.ts'
import { useVersionedSave } from '../conflict.tsx'
import { AnswersPanel } from './answers-panel.tsx'
import { EmbedPanel } from './embed-panel.tsx'
import { LimitsPanel } from './limits-panel.tsx'
import { LookPanel } from './look-panel.tsx'
import { VISITOR_SETTINGS_PATH } from './paths.ts'
import { readVisitorSettings, updateVisitorSettings, visitorSettingsQuery, visitorUsageQuery } from './queries.ts'
import { changesOf, problemsOf, type VisitorForm, type VisitorValues, valuesOf } from './values.ts'
import { VisitorFrame } from './visitor-frame.tsx'
import { WebsitesPanel } from './websites-panel.tsx'

/** How the visitor assistant is set up. */
export const VisitorSettingsScreen = () => {
  const settings = useQuery(visitorSettingsQuery)
  const ai = useQuery(aiQuery)
  const error = settings.error ?? ai.error
  const data = settings.data && ai.data ? { settings: settings.data, ai: ai.data } : undefined
  const refetch = () => void Promise.all([settings.refetch(), ai.refetch()])
  return (
    <VisitorFrame
      current={VISITOR_SETTINGS_PATH}
      badge={
        settings.data ? (
          <Status tone={settings.data.enabled ? 'live' : 'neutral'}>{settings.data.enabled ? 'On' : 'Off'}</Status>
        ) : undefined
      }
    >
      <QueryBoundary query={{ data, error, refetch }} name="The visitor assistant">
        {(loaded) => <SettingsForm {...loaded} />}
      </QueryBoundary>
    </VisitorFrame>
  )
}

const SettingsForm = ({ settings, ai }: { settings: VisitorSettings; ai: AiConnection }) => {
  const queryClient = useQueryClient()
  // Not what the cache holds by now: that may be newer than what the person has seen
  const [seen, setSeen] = useState(settings)
  const versioned = useVersionedSave('the visitor assistant')
  const form = useForm<VisitorValues>({
    initial: valuesOf(settings),
    validate: problemsOf,
    onSubmit: async (values) => {
      const { record, saved } = await versioned.save({
        version: seen.version,
        write: (version) => updateVisitorSettings(changesOf(seen, values), version),
        read: () => readVisitorSettings(),
      })
      queryClient.setQueryData(visitorSettingsQuery.queryKey, record)
      void queryClient.invalidateQueries(visitorUsageQuery)
      setSeen(record)
      if (saved) toast({ tone: 'success', title: savedWords(seen.enabled, record.enabled) })
      return valuesOf(record)
    },
  })
  return (
    <>
      <Form form={form} className="gap-6">
        <SwitchPanel form={form} isConnected={ai.connected} />
        <WebsitesPanel form={form} />
        <EmbedPanel isOn={seen.enabled} />
        <AnswersPanel form={form} />
        <LookPanel form={form} />
        <LimitsPanel form={form} ai={ai} />
        <StickyFormActions form={form} />
      </Form>
      {versioned.dialog}
    </>
  )
}

const savedWords = (was: boolean, is: boolean): string =>
  was === is ? 'Settings saved' : is ? 'Visitor assistant turned on' : 'Visitor assistant turned off'

type SwitchPanelProps = { form: VisitorForm; isConnected: boolean }

const SwitchPanel = ({ form, isConnected }: SwitchPanelProps) => {
  const { enabled, types } = form.values
  const missing = !isConnected ? 'provider' : types.length === 0 ? 'types' : undefined
  return (
    <Panel>
      <div className="flex max-w-prose flex-col gap-4">
        <SwitchField
          label="Show the visitor assistant"
          help="When off, the bubble disappears from your websites and questions get no answer."
          checked={enabled}
          // When on, it can always be turned off
          disabled={missing !== undefined && !enabled}
          onChecked={(next) => form.set({ enabled: next })}
        />
        {missing === 'provider' ? (
          <Notice
            tone="info"
            title="Connect an AI provider first"
            action={<LinkButton to={AI_PATH}>Connect</LinkButton>}
          >
            Answers are written by the provider that's connected under Settings, AI.
          </Notice>
        ) : missing === 'types' ? (
          <Notice tone="info" title="Choose at least one content type below">
            Answers come from published entries of the types you choose.
          </Notice>
        ) : null}
      </div>
    </Panel>
  )
}
