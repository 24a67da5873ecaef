import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Page } from 'playwright-core'
import { button, isFocused, useGallery } from './gallery-page.ts'
import { journey } from './journey.ts'

const { open } = useGallery()

describe('lists', () => {
  const titles = (page: Page): Promise<string[]> =>
    page.getByRole('table', { name: 'Entries' }).getByRole('row').getByRole('link').allTextContents()

  journey('of tables', {
    'each state is there: loading, empty, error that keeps what was typed, rows': async ({ page }) => {
      await open(page, { part: 'tables' })
      await page.getByRole('region', { name: 'Loading entries' }).locator('[aria-busy=true]').waitFor()
      await page.getByRole('region', { name: 'Empty entries' }).getByRole('button', { name: 'New entry' }).waitFor()
      const failing = page.getByRole('region', { name: 'Failing entries' })
      await failing.getByRole('alert').getByText('The service did not answer (try 1).').waitFor()
      await failing.getByRole('button', { name: 'Retry' }).click()
      await failing.getByText('(try 2)').waitFor()
      await failing.getByRole('button', { name: 'Retry' }).click()
      await failing.getByRole('link', { name: 'Spring menu' }).waitFor()
      assert.equal(await failing.getByRole('searchbox').inputValue(), 'typed before')
    },

    'a column head sorts and says so': async ({ page }) => {
      const head = page
        .getByRole('region', { name: 'Entries', exact: true })
        .getByRole('columnheader', { name: 'Words' })
      assert.equal(await head.getAttribute('aria-sort'), 'none')
      await head.getByRole('button').press('Enter')
      await until(async () => (await head.getAttribute('aria-sort')) === 'ascending', 'sorted upwards')
      assert.match((await titles(page))[0] ?? '', /^Donau/)
      await head.getByRole('button').click()
      await until(async () => (await head.getAttribute('aria-sort')) === 'descending', 'sorted downwards')
      assert.equal((await titles(page))[0], 'How we choose our olive oil')
    },
  })

  journey('of a shell', {
    'rows are chosen one by one, by range and all at once, and acted on together': async ({ page, axe, shot }) => {
      await open(page, 'shell')
      const bar = page.getByRole('toolbar', { name: 'Selected rows' })
      const top = async () => (await page.getByLabel('Select Newsletter March').boundingBox())?.y
      const before = await top()
      await page.getByLabel('Select Spring menu').click()
      await bar.getByText('1 selected').waitFor()
      await page.getByLabel('Select Newsletter March').click({ modifiers: ['Shift'] })
      await bar.getByText('5 selected').waitFor()
      assert.equal(await top(), before, 'the rows stay where they are')
      await axe('main')
      await shot('gallery-bulk')
      await page.getByLabel('Select all on this page').click()
      await bar.getByText('7 selected').waitFor()
      await bar.getByRole('button', { name: 'Publish' }).click()
      await page.getByText('7 published').waitFor()
      await bar.getByRole('button', { name: 'Clear selection' }).press('Enter')
      await page.getByRole('searchbox', { name: 'Search entries' }).waitFor()
      await isFocused(page, 'Entries')
    },

    'a search without hits offers to clear it': async ({ page }) => {
      await page.getByRole('searchbox').fill('nothing like this')
      await page.getByText('No results').waitFor()
      await button(page, 'Clear search and filters').click()
      await until(async () => (await titles(page)).length === 7, 'all rows')
    },

    'a press on a row opens it, on its menu it does not': async ({ page }) => {
      await button(page, 'Actions for About us').click()
      await page.getByRole('menuitem', { name: 'Duplicate' }).click()
      await page.getByText('Duplicate e6').waitFor()
      assert.equal(new URL(page.url()).hash, '')
      await page.getByRole('cell', { name: 'Mailing' }).click()
      await page.waitForURL(({ hash }) => hash === '#entries/e5')
    },
  })
})
