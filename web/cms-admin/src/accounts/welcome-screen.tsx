import type { DemoResult } from '@stoa/cms-model/demo.ts'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Progress } from '@stoa/ui/feedback/progress.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { SignInLayout } from '@stoa/ui/sign-in/sign-in-layout.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { ChevronRight, LibraryBig, SquareDashed } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { hasCode, sendSignedIn } from '../api.ts'

/** The second step of the first visit, and the way back to it while the site is empty: with a demo, or with nothing. */
export const WelcomeScreen = () => {
  const router = useRouter()
  const queryClient = useQueryClient()
  const goOn = (): Promise<void> => router.navigate({ to: '/' })
  const demo = useMutation({
    mutationFn: makeDemo,
    onSuccess: async ({ entries, media }) => {
      // Everything that was asked about the empty site is out of date
      await queryClient.invalidateQueries({ refetchType: 'none' })
      await goOn()
      toast({
        tone: 'success',
        title: 'Demo site created',
        description: `${entries} entries and ${media} images. Change or delete anything you like.`,
      })
    },
    onError: async (error) => {
      // Somebody was faster, or the answer to a first try was lost: there is something to look at
      if (!hasCode(error, 'ALREADY_SET_UP')) return
      await queryClient.invalidateQueries({ refetchType: 'none' })
      await goOn()
    },
  })
  const hasFailed = demo.isError && !hasCode(demo.error, 'ALREADY_SET_UP')
  return (
    <SignInLayout
      product="CMS"
      title="How would you like to start?"
      description="You're all set. You can change everything later."
    >
      <title>Welcome · Stoa CMS</title>
      {demo.isPending ? (
        <Working />
      ) : (
        <Choices
          problem={hasFailed ? messageOf(demo.error) : undefined}
          onDemo={() => demo.mutate()}
          onEmpty={() => void goOn()}
        />
      )}
    </SignInLayout>
  )
}

type ChoicesProps = { problem: string | undefined; onDemo: () => void; onEmpty: () => void }

const Choices = ({ problem, onDemo, onEmpty }: ChoicesProps) => {
  const choices = useRef<HTMLDivElement>(null)
  // The focus was on what went on meanwhile, and that is gone
  useEffect(() => {
    if (problem !== undefined) choices.current?.querySelector('button')?.focus()
  }, [problem])
  return (
    <div ref={choices} className="flex flex-col gap-3">
      {problem === undefined ? null : (
        <Notice tone="danger" title="Couldn't create the demo site">
          {problem} Your account was created and you're signed in.
        </Notice>
      )}
      <Choice
        icon={<LibraryBig />}
        title={problem === undefined ? 'Start with a demo site' : 'Try the demo again'}
        onChoose={onDemo}
      >
        A small bookshop with pages, articles, events, authors, menus and images. Best for exploring.
      </Choice>
      <Choice icon={<SquareDashed />} title="Start from scratch" onChoose={onEmpty}>
        An empty site. Create your own content types.
      </Choice>
    </div>
  )
}

type ChoiceProps = { icon: ReactNode; title: string; onChoose: () => void; children: ReactNode }

const Choice = ({ icon, title, onChoose, children }: ChoiceProps) => (
  <button
    type="button"
    onClick={onChoose}
    className="flex w-full items-start gap-3 rounded-lg border border-line-strong bg-surface p-4 text-left shadow-sm transition-colors hover:bg-hover active:bg-pressed"
  >
    <span className="rounded-md bg-accent-soft p-2 text-accent-ink [&>svg]:size-5">{icon}</span>
    <span className="flex min-w-0 flex-1 flex-col gap-0.5">
      <span className="font-semibold text-base text-ink">{title}</span>
      <span className="text-pretty text-muted text-sm">{children}</span>
    </span>
    <ChevronRight aria-hidden className="mt-2.5 size-4 shrink-0 text-faint" />
  </button>
)

/** Screen readers announce the progress, although the pressed button is gone. */
const Working = () => {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} tabIndex={-1} role="status" className="flex flex-col gap-3 outline-none">
      <Progress label="Creating the demo site" done={0} detail="Adding images, articles and menus" />
      <p className="text-muted text-sm">This takes a few seconds.</p>
    </div>
  )
}

/** Fills the empty site with the demo. */
const makeDemo = (): Promise<DemoResult> => sendSignedIn<DemoResult>('POST', '/api/demo', { body: {} })
