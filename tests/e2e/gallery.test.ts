import assert from 'node:assert/strict'
import { describe } from 'node:test'
import type { Page } from 'playwright-core'
import { browserTest } from '../lib/browser.ts'
import { becomesStronger, button, escapeDialog, gone, isFocused, useGallery } from './gallery-page.ts'
import { journey } from './journey.ts'
import { fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

const gallery = useGallery()
const { open } = gallery

const DIALOG = '[role=dialog], [role=alertdialog]'

describe('every view is accessible in both themes, keeps the policy and fits', () => {
  journey('components', {
    'by day, and on a phone at night': async (visit) => {
      await open(visit.page, 'components')
      await look(visit, 'gallery-components-light')
      await onPhoneInTheDark(visit, () => look(visit, 'gallery-components-dark-390'))
    },

    'text, scrollbars and inputs are drawn as the tokens say, in both themes': async ({ page }) => {
      const sizes = await page
        .getByText(/^(Extra large|Large|Medium|Base|Small) \d\d, /)
        .evaluateAll((texts) => texts.map((text) => getComputedStyle(text).fontSize))
      assert.deepEqual(sizes, ['30px', '20px', '16px', '14px', '13px'])
      const scrolling = await page.locator('html, pre').evaluateAll((areas) =>
        areas.map((area) => {
          const { scrollbarWidth, scrollbarGutter } = getComputedStyle(area)
          return [area.tagName, scrollbarWidth, scrollbarGutter]
        }),
      )
      assert.deepEqual(scrolling.slice(0, 2), [
        ['HTML', 'thin', 'stable'],
        ['PRE', 'thin', 'auto'],
      ])
      const title = page.getByLabel('Title').first()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await becomesStronger(page, title)
      }
      await page.emulateMedia({ colorScheme: null })
    },

    '? shows the keys, but not while typing, nor when single keys are off': async ({ page, axe }) => {
      const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await page.getByLabel('Title').first().press('?')
      assert.equal(await help.isVisible(), false)
      await page.getByRole('heading', { level: 1 }).click()
      await page.keyboard.press('?')
      await help.getByText('Open the command menu').waitFor()
      await axe(DIALOG)
      await help.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck()
      await page.keyboard.press('Escape')
      await gone(page, 'dialog')
      await page.keyboard.press('?')
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Command menu' }).waitFor()
      assert.equal(await help.isVisible(), false)
    },
  })

  journey('shell and sign-in', {
    'the first Tab offers to skip the navigation': async ({ page }) => {
      await open(page, 'shell')
      await page.keyboard.press('Tab')
      await isFocused(page, 'Skip to content')
      await page.keyboard.press('Enter')
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'content')
    },

    // A table is only drawn on a desk, and nothing else looks at one in the dark.
    'the shell by day and at night': async (visit) => {
      await visit.axe()
      await fits(visit, 'gallery-shell-light')
      await visit.page.emulateMedia({ colorScheme: 'dark' })
      await visit.axe()
      await fits(visit, 'gallery-shell-dark')
      await visit.page.emulateMedia({ colorScheme: null })
    },

    'a dialog gives the focus back without animations, too': ({ page }) => givesFocusBack(page),

    'the sign-in by day, and on a phone at night': async (visit) => {
      await open(visit.page, 'sign-in')
      await look(visit, 'gallery-sign-in-light')
      await onPhoneInTheDark(visit, () => look(visit, 'gallery-sign-in-dark-390'))
    },
  })

  journey(
    'shell of a phone at night',
    {
      'fits, with rows as cards that have the same acts': async (visit) => {
        const { page } = visit
        await open(page, 'shell')
        await visit.axe()
        await fits(visit, 'gallery-shell-dark-390')
        assert.equal(await page.getByRole('table').count(), 0)
        const card = page.getByRole('list', { name: 'Entries' }).getByRole('listitem').first()
        await card.getByText('Spring menu').waitFor()
        await card.getByText('Status').waitFor()
        await button(page, 'Sort').tap()
        await page.getByRole('menuitemradio', { name: 'Words, ascending' }).tap()
        await card.getByText('Donau').waitFor()
      },

      'has its navigation in a drawer that closes when a screen is chosen': async ({ page, axe, shot }) => {
        await button(page, 'Open navigation').tap()
        const drawer = page.getByRole('dialog', { name: 'Navigation' })
        await drawer.waitFor()
        await axe(DIALOG)
        await shot('gallery-drawer')
        await drawer.getByRole('link', { name: 'Media' }).tap()
        await gone(page, 'dialog')
        await button(page, 'Open navigation').tap()
        assert.equal(await drawer.getByRole('link', { name: 'Media' }).getAttribute('aria-current'), 'page')
      },
    },
    { theme: 'dark', phone: true },
  )

  browserTest('a page that breaks the policy or misses a file is noticed', {}, async ({ page, expectProblem }) => {
    await page.goto(gallery.address('/broken'))
    await page.waitForLoadState('networkidle')
    expectProblem(/^csp: style-src-elem inline/)
    expectProblem(/^response: 404 .*missing\.png/)
    expectProblem(/^console: /)
  })
})

const fontsOf = (page: Page) => {
  const files: string[] = []
  page.on('response', (response) => {
    const name = /\/(inter-[a-z-]+)-[^/]+\.woff2$/.exec(response.url())?.[1]
    if (name) files.push(name)
  })
  return files
}

describe('type and themes', () => {
  let files: string[]
  journey(
    'of a page',
    {
      'a page of Latin text asks for one font file, once, from its head': async ({ page }) => {
        files = fontsOf(page)
        await open(page, 'sign-in')
        await page.evaluate(() => document.fonts.ready)
        assert.deepEqual(files, ['inter-latin-wght-normal'])
        const preloaded = page.locator('head link[rel=preload][as=font]')
        assert.match((await preloaded.getAttribute('href')) ?? '', /inter-latin-wght-normal/)
        assert.equal(await page.evaluate(() => document.fonts.check('14px "Inter Variable"')), true)
      },

      'other scripts bring the files of their letters': async ({ page }) => {
        files.length = 0
        await open(page, { part: 'tokens' })
        await page.evaluate(() => document.fonts.ready)
        for (const script of ['latin', 'latin-ext', 'cyrillic', 'greek', 'greek-ext', 'vietnamese'])
          assert.ok(files.includes(`inter-${script}-wght-normal`), `${script} is missing: ${files}`)
        assert.ok(files.includes('inter-latin-wght-italic'))
      },

      'figures of a table are equally wide': async ({ page }) => {
        const widths = await page.locator('caption:has-text("Tabular figures") ~ tbody td').evaluateAll((cells) =>
          cells.map((cell) => {
            const range = document.createRange()
            range.selectNodeContents(cell)
            return range.getBoundingClientRect().width
          }),
        )
        assert.equal(widths.length, 2)
        assert.ok(Math.abs((widths[0] ?? 0) - (widths[1] ?? 0)) < 0.1, `${widths}`)
      },

      'a chosen theme is there before the first paint of the next visit': async ({ page }) => {
        await button(page, 'Theme').click()
        await page.getByRole('menuitemradio', { name: 'Dark' }).click()
        await page.addInitScript(() => {
          new MutationObserver((_, observer) => {
            if (!document.body) return
            Reflect.set(window, 'themeAtBody', document.documentElement.dataset.theme)
            observer.disconnect()
          }).observe(document, { childList: true, subtree: true })
        })
        await page.reload()
        assert.equal(await page.evaluate(() => Reflect.get(window, 'themeAtBody')), 'dark')
        const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
        assert.match(background, /oklch\(0\.1/)
      },
    },
    { alone: true },
  )
})

/** A dialog that a menu or the palette opened gives the focus back to what opened those. */
const givesFocusBack = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /Ada Lovelace/ }).press('Enter')
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).press('Enter')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await gone(page, 'menu')
  await escapeDialog(page)
  await isFocused(page, 'Ada Lovelaceada@example.test')
  await page.getByRole('button', { name: /^Search/ }).press('Enter')
  await page.getByRole('dialog', { name: 'Command menu' }).waitFor()
  await page.keyboard.type('shortcuts')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.getByRole('dialog', { name: 'Command menu' }).waitFor({ state: 'detached' })
  await escapeDialog(page)
  await isFocused(page, 'SearchCtrlK')
}

describe('layers', () => {
  journey('one after the other', {
    'nothing moves for people who asked for that, and Tab stays inside a dialog': async ({ page }) => {
      await open(page, { part: 'layers' })
      await button(page, 'Open dialog').click()
      await page.getByRole('dialog').waitFor()
      assert.equal(await page.evaluate(() => document.getAnimations().length), 0)
      for (let presses = 0; presses < 12; presses += 1) {
        await page.keyboard.press('Tab')
        assert.equal(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null), true)
      }
      await escapeDialog(page)
    },

    'a question starts on Cancel, and only the typed name unlocks what is final': async ({ page, axe }) => {
      await button(page, 'Confirm').click()
      await page.getByRole('alertdialog', { name: 'Delete “Spring menu”?' }).waitFor()
      await isFocused(page, 'Cancel')
      await page.keyboard.press('Enter')
      await gone(page, 'alertdialog')
      await button(page, 'Type the name').click()
      const dialog = page.getByRole('alertdialog')
      await dialog.getByRole('textbox').fill('example.tes')
      await dialog.getByRole('textbox').press('Enter')
      await dialog.getByRole('button', { name: 'Delete domain' }).click({ force: true })
      assert.equal(await dialog.isVisible(), true)
      await axe(DIALOG)
      await dialog.getByRole('textbox').fill('example.test')
      await dialog.getByRole('textbox').press('Enter')
      await gone(page, 'alertdialog')
      await page.getByText('Domain deleted').waitFor()
    },

    'an act that fails says why and keeps the question open': async ({ page }) => {
      await button(page, 'Failing action').click()
      await button(page, 'Publish').last().click()
      await page.getByRole('alertdialog').getByText('The slug “spring-menu” is taken').waitFor()
      await page.keyboard.press('Escape')
      await gone(page, 'alertdialog')
    },

    'a menu works with arrows and letters, and Enter acts': async ({ page, axe }) => {
      await button(page, 'Actions').focus()
      await page.keyboard.press('ArrowDown')
      await page.getByRole('menu').waitFor()
      await axe('[role=menu]')
      await isFocused(page, 'EditE')
      await page.keyboard.press('d')
      await isFocused(page, 'Duplicate')
      // The disabled item is skipped
      await page.keyboard.press('ArrowDown')
      await isFocused(page, 'Wide layout')
      await page.keyboard.press('End')
      await isFocused(page, 'Delete')
      await page.keyboard.press('Enter')
      await page.getByRole('region', { name: 'Notifications' }).getByText('Delete', { exact: true }).waitFor()
      await isFocused(page, 'Actions')
    },

    'tabs move with the arrows and skip what is disabled': async ({ page }) => {
      await page.getByRole('tab', { name: 'Content' }).focus()
      await page.keyboard.press('ArrowRight')
      await page.getByRole('tabpanel').getByText('Twelve earlier versions.').waitFor()
      await page.keyboard.press('End')
      await page.getByText('Slug, author, language.').waitFor()
      await page.keyboard.press('ArrowRight')
      await page.getByText('The fields of the entry.').waitFor()
    },

    'mod+K finds and runs a command, Esc leaves': async ({ page, axe, shot }) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Command menu' }).waitFor()
      await axe(DIALOG)
      await page.keyboard.type('easter')
      await shot('gallery-palette')
      await page.keyboard.press('Enter')
      await page.getByText('Ran: Opening hours in the week after Easter').waitFor()
      await button(page, 'Open palette').press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.type('no such thing')
      await page.getByText('No results for').waitFor()
      await page.keyboard.press('Escape')
      await gone(page, 'dialog')
      await isFocused(page, 'Open palette')
    },

    'a secret cannot be closed by accident, and can be copied and downloaded': async ({ page, axe }) => {
      await open(page, { part: 'data' })
      await button(page, 'Make a key').click()
      const dialog = page.getByRole('dialog', { name: 'Delivery key “Website”' })
      await page.keyboard.press('Escape')
      await dialog.getByRole('button', { name: 'Done' }).click({ force: true })
      assert.equal(await dialog.isVisible(), true)
      await axe(DIALOG)
      await dialog.getByRole('button', { name: 'Copy' }).click()
      await dialog.getByRole('button', { name: 'Copied' }).waitFor()
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^cmsdlv_7Qm3/)
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Download' }).click(),
      ])
      assert.equal(file.suggestedFilename(), 'delivery-key.txt')
      await dialog.getByLabel("I've stored it").check()
      await dialog.getByRole('button', { name: 'Done' }).click()
      await gone(page, 'dialog')
    },
  })

  journey(
    'with animations',
    {
      'Esc closes the top layer only and the focus goes back step by step': async ({ page, axe }) => {
        await open(page, { part: 'layers' })
        await button(page, 'Open dialog').focus()
        await page.keyboard.press('Enter')
        const dialog = page.getByRole('dialog', { name: 'Invite a person' })
        await dialog.waitFor()
        assert.equal(await dialog.getByLabel('Email').evaluate((input) => input === document.activeElement), true)
        await axe(DIALOG)
        await dialog.getByRole('button', { name: 'More' }).press('Enter')
        await page.getByRole('menu').waitFor()
        await page.keyboard.press('Escape')
        await gone(page, 'menu')
        assert.equal(await dialog.isVisible(), true)
        await isFocused(page, 'More')
        await page.keyboard.press('Escape')
        await gone(page, 'dialog')
        await isFocused(page, 'Open dialog')
      },

      'a dialog opened from a menu or the palette gives the focus back to what opened those': async ({ page }) => {
        await open(page, 'shell')
        await givesFocusBack(page)
      },

      'a toast goes by itself, waits while pointed at, and a problem stays': async ({ page, axe }) => {
        await open(page, { part: 'feedback' })
        const region = page.getByRole('region', { name: 'Notifications' })
        // The time of the page stands still: a busy machine takes longer than a toast stays
        await page.clock.install()
        await page.clock.pauseAt(Date.now() + 60_000)
        await button(page, 'Problem').click()
        await button(page, 'Short').press('Enter')
        await region.getByText('Gone in a moment').hover()
        await page.clock.runFor(700)
        assert.equal(await region.getByText('Gone in a moment').isVisible(), true)
        await page.clock.resume()
        await axe('[data-toaster]')
        await page.mouse.move(0, 0)
        await region.getByText('Gone in a moment').waitFor({ state: 'detached' })
        assert.equal(await region.getByText('The webhook could not be saved').isVisible(), true)
        await region.getByRole('button', { name: 'Dismiss' }).click()
        await region.getByText('The webhook could not be saved').waitFor({ state: 'detached' })
      },

      'Undo acts and closes its toast': async ({ page }) => {
        await button(page, 'With undo').click()
        await button(page, 'Undo').click()
        await page.getByText('Back in the inbox').waitFor()
        await page.getByText('3 messages archived').waitFor({ state: 'detached' })
      },
    },
    { motion: true, alone: true },
  )
})

describe('forms', () => {
  journey('one after the other', {
    'a refusal appears beside its input, which gets the focus, and nothing typed is lost': async ({ page }) => {
      await open(page, { part: 'forms' })
      const form = page.getByRole('region', { name: 'Profile' })
      const email = form.getByLabel('Email')
      await email.fill('ada@taken.test')
      await page.getByRole('heading', { level: 1 }).click()
      await page.keyboard.press('Control+s')
      await form.getByText('Another account uses this address.').waitFor()
      assert.equal(await email.evaluate((input) => input === document.activeElement), true)
      const described = await email.getAttribute('aria-describedby')
      assert.equal(await page.locator(`[id="${described}"]`).textContent(), 'Another account uses this address.')
      assert.equal(await email.inputValue(), 'ada@taken.test')
      await email.fill('ada@free.test')
      await form.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('Profile saved').waitFor()
      assert.equal(await form.getByRole('button', { name: 'Save changes' }).getAttribute('aria-disabled'), 'true')
    },

    'a second press while saving sends nothing': async ({ page }) => {
      const form = page.getByRole('region', { name: 'A problem of the whole form' })
      await form.getByLabel('Title').fill('kept')
      // In the page: a key that has to come from here may come after the first answer
      await form.getByLabel('Title').evaluate((input) => {
        const press = () => input.closest('form')?.requestSubmit()
        press()
        setTimeout(press)
      })
      await form.getByRole('alert').getByText('not available').waitFor()
      await form.getByText('Submitted 1 times').waitFor()
      assert.equal(await form.getByLabel('Title').inputValue(), 'kept')
    },

    'leaving with unsaved changes asks, after saving it does not': async ({ page }) => {
      const asked: string[] = []
      page.on('dialog', (dialog) => {
        asked.push(dialog.type())
        void dialog.accept()
      })
      await page.getByRole('region', { name: 'Profile' }).getByLabel('Name').fill('Ada')
      await page.reload()
      assert.deepEqual(asked, ['beforeunload'])
      await page.getByRole('heading', { level: 1 }).click()
      await page.reload()
      assert.equal(asked.length, 1)
    },
  })
})
