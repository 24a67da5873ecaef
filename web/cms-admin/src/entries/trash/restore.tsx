import type { TrashedEntry } from '@stoa/cms-model/entries.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { hasCode } from '../../api.ts'
import { entryPath } from '../../content-path.ts'
import { titleOf } from '../list/values.ts'
import { entriesKey, restoreEntry } from '../queries.ts'

/** Brings an entry back; asks for another slug when its own was taken meanwhile. */
export const useRestore = (): { restore: (entry: TrashedEntry) => void; dialog: ReactNode } => {
  const queryClient = useQueryClient()
  const navigateTo = useNavigateTo()
  const [taken, setTaken] = useState<TrashedEntry>()
  const bringBack = async (entry: TrashedEntry, slug?: string) => {
    const restored = await restoreEntry(entry.id, slug)
    toast({
      tone: 'success',
      title: `“${titleOf(restored)}” restored as a draft`,
      action: { label: 'Open', onAction: () => navigateTo(entryPath(restored)) },
    })
    await queryClient.invalidateQueries({ queryKey: entriesKey })
  }
  const restore = async (entry: TrashedEntry) => {
    try {
      await bringBack(entry)
    } catch (error) {
      if (hasCode(error, 'SLUG_TAKEN')) setTaken(entry)
      else toast({ tone: 'danger', title: `Couldn't restore “${titleOf(entry)}”`, description: messageOf(error) })
    }
  }
  return {
    restore: (entry) => void restore(entry),
    dialog: taken ? <SlugDialog entry={taken} bringBack={bringBack} onClose={() => setTaken(undefined)} /> : null,
  }
}

type SlugDialogProps = {
  entry: TrashedEntry
  bringBack: (entry: TrashedEntry, slug: string) => Promise<void>
  onClose: () => void
}

const SlugDialog = ({ entry, bringBack, onClose }: SlugDialogProps) => {
  const form = useForm<{ slug: string }>({
    initial: { slug: `${entry.slug}-2` },
    guard: false,
    validate: ({ slug }) => (slug.trim() === '' ? { slug: 'Enter a slug.' } : {}),
    onSubmit: async ({ slug }) => {
      await bringBack(entry, slug.trim()).catch(blameSlug)
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog
      title={`Restore “${titleOf(entry)}” with another slug`}
      description={`Another entry now uses the slug “${entry.slug}”.`}
      size="sm"
      form={form}
      submitLabel="Restore"
      allowUnchanged
      onClose={onClose}
    >
      <Field
        label="Slug"
        help="Lowercase letters, digits and hyphens. Used in the entry's URL."
        error={form.errors.slug}
      >
        <Input {...form.text('slug')} autoComplete="off" spellCheck={false} />
      </Field>
    </FormDialog>
  )
}

const blameSlug = (error: unknown): never => {
  if (!hasCode(error, 'SLUG_TAKEN')) throw error
  throw new ProblemError(messageOf(error), [{ key: 'slug', message: 'This slug is also taken.' }])
}
