import type { Settings } from '@stoa/cms-model/settings.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Form } from '@stoa/ui/form/form.tsx'
import { StickyFormActions } from '@stoa/ui/form/sticky-form-actions.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { lazyScreen } from '@stoa/ui/shell/lazy-part.tsx'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { AI_PATH } from '../assistant/screens.ts'
import { useVersionedSave } from '../conflict.tsx'
import { readSettings, settingsQuery, updateSettings } from './queries.ts'
import { findSettings } from './sections.tsx'
import { changesOf, problemsOf, type SettingsValues, valuesOf } from './values.ts'

/** Reached through this file, so that the shell loads one more address and no more code. */
export const AiScreen = lazyScreen(() => import('../assistant/settings/ai-screen.tsx'), 'AiScreen')

/** The settings of the whole site on one page. */
export const SettingsScreen = () => {
  const query = useQuery(settingsQuery)
  const url = useUrlState()
  const words = url.get('q')
  return (
    <>
      <title>Settings · Stoa CMS</title>
      <PageHeader
        title="Settings"
        description="Settings for the whole site"
        actions={
          <>
            <LinkButton to={AI_PATH}>AI settings</LinkButton>
            <UrlSearch label="Search settings" value={words} onSearch={(q) => url.set({ q })} />
          </>
        }
      />
      {query.data ? (
        <SettingsPage settings={query.data} words={words} onClear={() => url.set({ q: '' })} />
      ) : query.error ? (
        <Crash title="Couldn't load settings" onRetry={() => void query.refetch()}>
          {messageOf(query.error)}
        </Crash>
      ) : (
        <SkeletonText lines={10} />
      )}
    </>
  )
}

type SettingsPageProps = { settings: Settings; words: string; onClear: () => void }

const SettingsPage = ({ settings, words, onClear }: SettingsPageProps) => {
  const queryClient = useQueryClient()
  // Not what the cache holds by now: that may be newer than what the person has seen
  const [saved, setSaved] = useState(settings)
  const versioned = useVersionedSave('the settings')
  const form = useForm<SettingsValues>({
    initial: valuesOf(settings),
    validate: problemsOf,
    onSubmit: async (values) => {
      const { record, saved: done } = await versioned.save({
        version: saved.version,
        write: (version) => updateSettings(changesOf(saved, values), version),
        read: () => readSettings(),
      })
      queryClient.setQueryData(settingsQuery.queryKey, record)
      setSaved(record)
      if (done) toast({ tone: 'success', title: 'Settings saved' })
      return valuesOf(record)
    },
  })
  // Fields with errors are shown whatever the search
  const found = findSettings(words, Object.keys(form.errors))
  return (
    <>
      <Form form={form} className="gap-6">
        {found.map((section) => (
          <Panel key={section.id} title={section.title} description={section.description}>
            <div className="flex max-w-prose flex-col gap-4">
              {section.settings.map((setting) => (
                <div key={setting.name}>{setting.field(form)}</div>
              ))}
            </div>
          </Panel>
        ))}
        {found.length === 0 ? (
          <EmptyState
            icon={<SearchX />}
            title={`No settings found for “${words}”`}
            action={<Button onClick={onClear}>Show all settings</Button>}
          />
        ) : null}
        <StickyFormActions form={form} />
      </Form>
      {versioned.dialog}
    </>
  )
}
