import type { Entry } from '@stoa/cms-model/entries.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { OptionPicker } from '@stoa/ui/form/option-picker.tsx'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery } from '@tanstack/react-query'
import { Languages } from 'lucide-react'
import { useState } from 'react'
import { nameOfLocale } from '../../../settings/values.ts'
import { translationsQuery } from '../../queries.ts'
import { nameOf } from '../../session/labels.ts'
import { StatusChips } from '../../status.tsx'
import { useEditor } from '../editor-context.ts'
import { useEntryActions } from '../use-entry-actions.ts'
import { SideSection } from './side-section.tsx'

/** The language of the entry and its translations, where the site has several. */
export const LanguagePanel = () => {
  const { type, settings, state, beginning, setBeginning, canWrite } = useEditor()
  const actions = useEntryActions()
  const locale = state.entry?.locale ?? beginning.locale
  const known = settings.locales.includes(locale) ? settings.locales : [...settings.locales, locale]
  if (known.length < 2) return null
  const choose = async (next: string) => {
    if (state.entry === null) return setBeginning({ locale: next })
    try {
      await actions.update({ locale: next })
    } catch (error) {
      toast({ tone: 'danger', title: "Couldn't change the language", description: messageOf(error) })
    }
  }
  return (
    <SideSection title="Language">
      <Field label="Language" hideLabel>
        <OptionPicker
          value={locale}
          disabled={!canWrite}
          onValue={(next) => void choose(next)}
          options={known.map((tag) => ({ value: tag, label: nameOfLocale(tag) }))}
        />
      </Field>
      {state.entry === null || type.kind === 'single' ? null : (
        <Translations entry={state.entry} locales={known.filter((tag) => tag !== locale)} />
      )}
    </SideSection>
  )
}

const Translations = ({ entry, locales }: { entry: Entry; locales: readonly string[] }) => {
  const { rights, type } = useEditor()
  const actions = useEntryActions()
  const [making, setMaking] = useState<string>()
  const { data, isPending } = useQuery(translationsQuery(entry))
  const translate = async (locale: string) => {
    setMaking(locale)
    try {
      await actions.translate(locale)
    } catch (error) {
      toast({ tone: 'danger', title: "Couldn't create the translation", description: messageOf(error) })
    } finally {
      setMaking(undefined)
    }
  }
  return (
    <ul aria-label="Translations" className="flex flex-col gap-2">
      {locales.map((locale) => {
        const found = data?.find((item) => item.locale === locale)
        return (
          <li key={locale} className="flex min-h-8 flex-wrap items-center justify-between gap-2 text-sm">
            <span className="text-muted">{nameOfLocale(locale)}</span>
            {found ? (
              <>
                <AppLink
                  to={`/content/${type.name}/${found.id}`}
                  className="min-w-0 flex-1 truncate rounded-sm text-accent-ink underline decoration-accent-line underline-offset-2"
                >
                  {nameOf(found)}
                </AppLink>
                <StatusChips entry={found} />
              </>
            ) : rights.write && !isPending ? (
              <Button
                size="sm"
                icon={<Languages />}
                loading={making === locale}
                disabled={making !== undefined}
                onClick={() => void translate(locale)}
                aria-label={`Translate to ${nameOfLocale(locale)}`}
              >
                Translate
              </Button>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}
