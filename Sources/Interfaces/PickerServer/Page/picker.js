// @ts-check
/**
 * The picker's page: a person chooses photos and videos of a library; the server keeps the choice.
 *
 * Structure, from the bottom up:
 * - `Api`, `RequestQueue`: requests with retry, back-off and priorities.
 * - `Words`: texts and dates in the person's language.
 * - `LibrarySource`, `SelectedSource`: the list that the grid shows, loaded page by page.
 * - `Selection`, `Options`, `RangeGesture`: the choice, shown at once and confirmed by the server afterwards.
 * - `Layout`, `ScrollSpace`, `Tile`, `Grid`, `GridPointer`, `GridKeys`: the virtual grid and its input.
 * - `Thumbnails`, `Clips`, `Preview`, `Viewer`: the media.
 * - `Scrubber`, `Popover`, `Filters`, `StatusLine`, `App`: the rest of the page.
 *
 * Text of the server (titles, names, messages) reaches the document through `textContent` and attributes only.
 */

/**
 * @typedef {object} Item
 * @property {string} id
 * @property {'image'|'video'} type
 * @property {string[]} kinds
 * @property {string|null} captureDate Wall-clock time without a zone.
 * @property {number|null} duration Seconds.
 * @property {number} width
 * @property {number} height
 * @property {string} format
 * @property {string} name
 * @property {string|null} title
 * @property {number} revision
 * @property {'present'|'unreadable'|'gone'} status
 * @property {number|null} burstCount
 *
 * @typedef {{signal?: AbortSignal, body?: object}} RequestOptions A request with a body is a POST.
 * @typedef {{start: string|null, count: number}} Month
 * @typedef {{label: string, key: string, count: number, start: number}} Group `start` is the index of the first item.
 *
 * @typedef {object} Source The list of items that the grid and the viewer show.
 * @property {Group[]} groups
 * @property {number} count
 * @property {(index: number) => Item|undefined} item The item, or undefined while it is not loaded.
 * @property {(first: number, last: number) => void} want Loads what the range lacks; drops requests outside of it.
 * @property {(index: number) => Promise<Item>} load
 * @property {(from: number, to: number) => Promise<{ids: string[], left: number}>} ids The ids from one index to another, in this
 *   direction. `left` is the number of items that are left out because the person has not seen them.
 * @property {() => void} close
 */

const LANGUAGES = ['en', 'de'];

/** Side lengths in pixels that the server keeps thumbnails in. */
const THUMBNAIL_SIDES = [128, 256, 512];
const IMAGE_SIDES = [1024, 2048, 4096];

/** Kinds in the order in which one of them names an item. */
const NAMING_KINDS = ['livePhoto', 'motionPhoto', 'screenshot', 'screenRecording', 'panorama', 'burst', 'slomo', 'timelapse', 'cinematic',
  'depthEffect'];
const EXTRA_KINDS = ['hdr', 'raw', 'spatial', 'edited'];
const BADGE_KINDS = ['livePhoto', 'motionPhoto', 'burst', 'panorama', 'slomo', 'timelapse', 'cinematic', 'screenshot', 'screenRecording',
  'hdr', 'raw'];

/**
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
const byId = (id) => /** @type {T} */ (document.getElementById(id));

/**
 * @param {string} tag
 * @param {string} [className]
 * @param {string} [text]
 */
function element(tag, className = '', text = '') {
  const result = document.createElement(tag);
  result.className = className;
  result.textContent = text;
  return result;
}

/** @param {number} value @param {number} low @param {number} high */
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/**
 * The last position in ascending `values` whose value is not above `value`; 0 if there is none.
 * @param {ArrayLike<number>} values @param {number} value
 */
function lastNotAbove(values, value) {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (values[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The smallest of `sides` that is not below `pixels`, else the largest.
 * @param {number[]} sides @param {number} pixels
 */
const roundedSide = (sides, pixels) => sides.find((side) => side >= pixels) ?? sides[sides.length - 1];

/** @param {Item} item */
const isPlayable = (item) => item.type === 'video' || item.kinds.includes('livePhoto') || item.kinds.includes('motionPhoto');

/**
 * Waits; rejects when `signal` aborts.
 * @param {number} milliseconds @param {AbortSignal} [signal] @returns {Promise<void>}
 */
function delay(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}

/** An answer of the server that repeating the request does not change. */
class ApiError extends Error {
  /**
   * The texts of the person's language, once they are loaded.
   * @type {Words|null}
   */
  static words = null;

  /**
   * @param {number} code
   * @param {string} sentence The server's, in English. The message is in the person's language if that has words for the reason.
   * @param {string} [reason]
   */
  constructor(code, sentence, reason) {
    const key = `errors.${reason}`;
    super(ApiError.words?.has(key) ? ApiError.words.text(key) : sentence);
    this.code = code;
    this.reason = reason;
  }

  /** The session does not exist for this browser (any more). */
  get isOver() {
    return this.code === 401 || this.code === 403 || this.code === 410;
  }
}

/**
 * The server's API. Requests survive a lost connection, a busy server (503 with Retry-After) and short server errors.
 * Events: `online` and `offline` when the connection changes, `over` (detail: ApiError) when the session has ended.
 */
class Api extends EventTarget {
  /** @param {URL} base */
  constructor(base) {
    super();
    this.base = base;
    this.isOnline = true;
  }

  /**
   * @param {string|URL} path
   * @param {RequestOptions} [options]
   * @returns {Promise<any>}
   */
  json(path, options = {}) {
    return this.#request(path, options, async (response) => (response.status === 204 ? null : response.json()));
  }

  /** @param {string} path @param {{signal?: AbortSignal}} [options] @returns {Promise<Blob>} */
  blob(path, options = {}) {
    return this.#request(path, options, (response) => response.blob());
  }

  /**
   * @param {string|URL} path
   * @param {RequestOptions} options
   * @param {(response: Response) => Promise<any>} read Inside the retry, because the connection can break while the body arrives.
   */
  async #request(path, { signal, body }, read) {
    const init = {
      signal,
      method: body ? 'POST' : 'GET',
      headers: body ? { 'Content-Type': 'application/json' } : undefined,
      body: body ? JSON.stringify(body) : undefined,
    };
    for (let attempt = 0; ; attempt += 1) {
      let failure;
      try {
        const response = await fetch(new URL(path, this.base), init);
        this.#setOnline(true);
        if (response.ok) return await read(response);
        // Without the field it is not busy: it lacks something, such as its workers, and waiting would never end.
        if (response.status === 503 && response.headers.has('Retry-After')) {
          await delay(1000 * (Number(response.headers.get('Retry-After')) || 1), signal);
          continue;
        }
        failure = await Api.#error(response);
      } catch (error) {
        if (signal?.aborted) throw error;
        this.#setOnline(false);
        await this.#backOff(attempt, signal);
        continue;
      }
      if (failure.isOver) this.dispatchEvent(new CustomEvent('over', { detail: failure }));
      if (failure.code < 500 || attempt >= 2) throw failure;
      await this.#backOff(attempt, signal);
    }
  }

  /** @param {Response} response */
  static async #error(response) {
    const answer = await response.json().catch(() => null);
    const error = answer?.error ?? {};
    return new ApiError(response.status, error.message ?? `${response.status} ${response.statusText}`, error.reason);
  }

  /**
   * Waits 0.5 s, 1 s, 2 s … 15 s, or until the browser reports a network.
   * @param {number} attempt @param {AbortSignal} [signal]
   */
  #backOff(attempt, signal) {
    const online = new Promise((resolve) => { window.addEventListener('online', resolve, { once: true }); });
    return Promise.race([delay(Math.min(15_000, 500 * 2 ** attempt), signal), online]);
  }

  /** @param {boolean} isOnline */
  #setOnline(isOnline) {
    if (this.isOnline === isOnline) return;
    this.isOnline = isOnline;
    this.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  }
}

/**
 * Runs a few requests at a time, the one with the smallest priority value first.
 * The priority is asked when a place becomes free, so it follows the scroll position.
 */
class RequestQueue {
  /** @type {Set<{priority: () => number, run: (signal: AbortSignal) => Promise<void>, controller: AbortController}>} */
  #waiting = new Set();
  #free;
  #isScheduled = false;
  #pausedUntil = 0;

  /** @param {number} width The number of requests at a time; browsers open 6 connections to an HTTP/1.1 server. */
  constructor(width) {
    this.#free = width;
  }

  /**
   * @param {() => number} priority
   * @param {(signal: AbortSignal) => Promise<void>} run Its errors are its own matter; after an abort they are ignored.
   * @returns {() => void} Drops the request, also while it runs.
   */
  add(priority, run) {
    const job = { priority, run, controller: new AbortController() };
    this.#waiting.add(job);
    this.#schedule();
    return () => {
      this.#waiting.delete(job);
      job.controller.abort();
    };
  }

  /**
   * Starts nothing for some time: while a person scrolls fast, each request would be dropped at once.
   * @param {number} milliseconds
   */
  pause(milliseconds) {
    this.#pausedUntil = performance.now() + milliseconds;
    setTimeout(() => this.#schedule(), milliseconds + 1);
  }

  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // In a microtask, so that all requests of one frame are compared.
    queueMicrotask(() => {
      this.#isScheduled = false;
      while (this.#free > 0 && this.#waiting.size > 0 && performance.now() >= this.#pausedUntil) this.#startNearest();
    });
  }

  #startNearest() {
    let best = null;
    let bestPriority = Infinity;
    for (const job of this.#waiting) {
      const priority = job.priority();
      if (priority < bestPriority || !best) [best, bestPriority] = [job, priority];
    }
    if (!best) return;
    this.#waiting.delete(best);
    this.#free -= 1;
    best.run(best.controller.signal).catch(() => {}).finally(() => {
      this.#free += 1;
      this.#schedule();
    });
  }
}

/** Texts of one language, and names, dates and numbers written with it. */
class Words {
  /** @param {any} texts @param {string} language @param {string} locale */
  constructor(texts, language, locale) {
    this.texts = texts;
    this.language = language;
    this.plural = new Intl.PluralRules(language);
    // Numbers stand in texts of the language, whose digits another locale may not use.
    this.numberLocale = locale.slice(0, 2) === language ? locale : language;
    this.numbers = new Intl.NumberFormat(this.numberLocale);
    this.percents = new Intl.NumberFormat(this.numberLocale, { style: 'percent' });
    // Capture dates are wall-clock times: they are read and written as UTC, so that no zone shifts them.
    this.months = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
    this.dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
    this.times = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });
  }

  /**
   * Loads the language that the browser prefers; dates follow the browser's locale.
   * @param {Api} api
   */
  static async load(api) {
    const wanted = navigator.languages.length > 0 ? navigator.languages : [navigator.language];
    const known = wanted.find((locale) => LANGUAGES.includes(locale.slice(0, 2)));
    const language = known?.slice(0, 2) ?? LANGUAGES[0];
    return new Words(await api.json(new URL(`${language}.json`, import.meta.url)), language, known ?? wanted[0]);
  }

  /**
   * @param {string} key Dots lead into nested objects; a text with plural forms is chosen by `values.n`.
   * @param {Record<string, string|number>} [values] Replace `{name}`.
   * @returns {string}
   */
  text(key, values = {}) {
    let found = key.split('.').reduce((node, part) => node?.[part], this.texts);
    if (typeof found === 'object') found = found[this.plural.select(Number(values.n))] ?? found.other;
    return String(found ?? key).replace(/\{(\w+)\}/g, (_, name) => {
      const value = values[name];
      return typeof value === 'number' ? this.numbers.format(value) : String(value ?? '');
    });
  }

  /** @param {string} key */
  has(key) {
    return key.split('.').reduce((node, part) => node?.[part], this.texts) !== undefined;
  }

  /**
   * Fills the elements that name their words.
   * @param {ParentNode} root
   */
  fill(root) {
    const selector = '[data-word], [data-word-label], [data-word-placeholder]';
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector))) {
      const { word, wordLabel, wordPlaceholder } = node.dataset;
      if (word) node.textContent = this.text(word);
      if (wordLabel) node.setAttribute('aria-label', this.text(wordLabel));
      if (wordPlaceholder) node.setAttribute('placeholder', this.text(wordPlaceholder));
    }
  }

  /** @param {string|null} start Year and month, such as 2024-06. */
  month(start) {
    return start ? this.months.format(new Date(`${start}-01T00:00:00Z`)) : this.text('noDate');
  }

  /** @param {number} seconds Written as 0:12 or 1:02:03. */
  duration(seconds) {
    const whole = Math.round(seconds);
    const pad = (/** @type {number} */ value) => String(value).padStart(2, '0');
    const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
    return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
  }

  /** @param {Item} item Date and time as two texts, or the words for an unknown date. */
  date(item) {
    const date = item.captureDate ? new Date(`${item.captureDate.slice(0, 19)}Z`) : null;
    return date && !Number.isNaN(date.getTime()) ? [this.dates.format(date), this.times.format(date)] : [this.text('noDate')];
  }

  /** @param {Item} item The name for assistive technology, such as "Live Photo, 1 June 2024, 10:15, HEIC". */
  label(item) {
    const kind = NAMING_KINDS.find((candidate) => item.kinds.includes(candidate)) ?? item.type;
    const parts = [this.text(`kinds.${kind}`), ...this.date(item), item.format];
    if (item.duration !== null && item.type === 'video') parts.push(this.duration(item.duration));
    if (item.burstCount) parts.push(this.text('burstCount', { n: item.burstCount }));
    for (const extra of EXTRA_KINDS) if (item.kinds.includes(extra)) parts.push(this.text(`kinds.${extra}`));
    // Isolated, because it may have another direction than the words around it.
    if (item.title) parts.push(`\u2068${item.title}\u2069`);
    if (item.status !== 'present') parts.push(this.text(`${item.status}Label`));
    return parts.join(this.text('listSeparator'));
  }

  /** @param {number} bytes */
  size(bytes) {
    const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
    const power = clamp(Math.floor(Math.log10(Math.max(1, bytes)) / 3), 0, units.length - 1);
    const format = new Intl.NumberFormat(this.numberLocale, { style: 'unit', unit: units[power], maximumFractionDigits: power > 0 ? 1 : 0 });
    return format.format(bytes / 1000 ** power);
  }
}

/** What the person narrowed the library down to. */
class Query {
  /** @type {Set<string>} */
  kinds = new Set();
  search = '';
  /** @type {string|null} */
  album = null;

  get isNarrow() {
    return this.kinds.size > 0 || this.search !== '' || this.album !== null;
  }

  /** @param {string} path @param {Record<string, string|number>} [more] */
  address(path, more = {}) {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(more)) parameters.set(name, String(value));
    if (this.kinds.size > 0) parameters.set('kinds', [...this.kinds].join(','));
    if (this.search) parameters.set('search', this.search);
    if (this.album !== null) parameters.set('album', this.album);
    // Every server takes %20 for a space; a plus in a text is %2B here.
    const query = parameters.toString().replaceAll('+', '%20');
    return query ? `${path}?${query}` : path;
  }

  copy() {
    return Object.assign(new Query(), { kinds: new Set(this.kinds), search: this.search, album: this.album });
  }
}

/**
 * Stands for an item that the library had when its months were counted.
 * @type {Item}
 */
const GONE_ITEM = Object.freeze({
  id: '', type: 'image', kinds: [], captureDate: null, duration: null, width: 0, height: 0, format: '', name: '', title: null, revision: 0,
  status: 'gone', burstCount: null,
});

/**
 * The library, or the part of it that a query leaves, by month.
 * @implements {Source}
 */
class LibrarySource {
  static PAGE = 200;
  /** Pages kept in memory: 24,000 items. */
  static KEPT = 120;

  /**
   * `items` may be the beginning of a page only; `cancel` is null while no request is on its way.
   * @type {Map<string, {items: Item[]|null, isWhole: boolean, cancel: (() => void)|null}>}
   */
  #pages = new Map();

  /**
   * @param {{api: Api, queue: RequestQueue, words: Words}} services
   * @param {Query} query
   * @param {{count: number, token: string, months: Month[]}} library `token` names the state in which the months were counted.
   * @param {() => void} changed Called when items have arrived.
   */
  constructor({ api, queue, words }, query, library, changed) {
    this.api = api;
    this.queue = queue;
    this.query = query.copy();
    this.token = library.token;
    this.changed = changed;
    let start = 0;
    /** @type {Group[]} */
    this.groups = library.months.filter((month) => month.count > 0).map((month) => {
      const group = { key: month.start ?? 'unknown', label: words.month(month.start), count: month.count, start };
      start += month.count;
      return group;
    });
    this.starts = Float64Array.from(this.groups, (group) => group.start);
    this.count = start;
  }

  /**
   * Takes over the newest items, which were requested together with the months.
   * @param {Item[]} items
   */
  adopt(items) {
    for (const [position, group] of this.groups.entries()) {
      if (group.start >= items.length) break;
      const part = items.slice(group.start, Math.min(group.start + group.count, group.start + LibrarySource.PAGE));
      const isWhole = part.length === Math.min(group.count, LibrarySource.PAGE);
      this.#pages.set(`${position}/0`, { items: part, isWhole, cancel: null });
    }
  }

  /** @param {number} index */
  #place(index) {
    const position = lastNotAbove(this.starts, index);
    const local = index - this.groups[position].start;
    const page = Math.floor(local / LibrarySource.PAGE);
    return { position, page, key: `${position}/${page}`, offset: local % LibrarySource.PAGE };
  }

  /** @param {number} index @returns {Item|undefined} */
  item(index) {
    const { key, offset } = this.#place(index);
    const page = this.#pages.get(key);
    return page?.items?.[offset] ?? (page?.isWhole ? GONE_ITEM : undefined);
  }

  /** @param {number} first @param {number} last */
  want(first, last) {
    const wanted = new Set();
    const middle = (first + last) / 2;
    for (let index = first; index <= last;) {
      const { position, page, key } = this.#place(index);
      const start = this.groups[position].start + page * LibrarySource.PAGE;
      const end = Math.min(start + LibrarySource.PAGE, this.groups[position].start + this.groups[position].count);
      wanted.add(key);
      const kept = this.#pages.get(key);
      if (kept) {
        this.#pages.delete(key);
        this.#pages.set(key, kept);
      }
      if (!kept?.isWhole && !kept?.cancel) this.#request(key, position, page, Math.abs((start + end) / 2 - middle));
      index = end;
    }
    for (const [key, entry] of this.#pages) {
      if (wanted.has(key)) continue;
      entry.cancel?.();
      entry.cancel = null;
      if (!entry.items || this.#pages.size > LibrarySource.KEPT) this.#pages.delete(key);
    }
  }

  /** @param {string} key @param {number} position @param {number} page @param {number} distance */
  #request(key, position, page, distance) {
    // Pages precede all thumbnails: without items there is nothing to request thumbnails of.
    const cancel = this.queue.add(() => distance - 1e9, async (signal) => {
      try {
        await this.#fetch(key, position, page, signal);
        this.changed();
      } catch (error) {
        // The next scroll requests the page again.
        if (!signal.aborted) this.#pages.delete(key);
      }
    });
    this.#pages.set(key, { items: this.#pages.get(key)?.items ?? null, isWhole: false, cancel });
  }

  /** @param {string} key @param {number} position @param {number} page @param {AbortSignal} [signal] @returns {Promise<Item[]>} */
  async #fetch(key, position, page, signal) {
    const range = { month: this.groups[position].key, offset: page * LibrarySource.PAGE, limit: LibrarySource.PAGE };
    const answer = await this.api.json(this.query.address('items', range), { signal });
    // A tile that shows an item keeps it, although a scan may have moved others to its place.
    const shown = this.#pages.get(key)?.items ?? [];
    const items = [...shown, ...answer.items.slice(shown.length)];
    this.#pages.set(key, { items, isWhole: true, cancel: null });
    return items;
  }

  /** @param {number} index */
  async load(index) {
    const known = this.item(index);
    if (known) return known;
    const { position, page, key, offset } = this.#place(index);
    const items = await this.#fetch(key, position, page);
    return items[offset] ?? GONE_ITEM;
  }

  /** @param {number} from @param {number} to */
  async ids(from, to) {
    const [first, last] = from <= to ? [from, to] : [to, from];
    const loaded = this.#loadedIds(first, last);
    const { ids, left } = loaded ? { ids: loaded, left: 0 } : await this.#fetchIds(first, last);
    return { ids: from <= to ? ids : ids.reverse(), left };
  }

  /**
   * The selectable ids of a range as the grid shows it, or null if a part of it is not loaded.
   * @param {number} first @param {number} last
   */
  #loadedIds(first, last) {
    const ids = [];
    for (let index = first; index <= last; index += 1) {
      const item = this.item(index);
      if (!item) return null;
      if (item.status === 'present') ids.push(item.id);
    }
    // Pages of different states may have one item twice.
    return [...new Set(ids)];
  }

  /**
   * Asks for the ids from the first to the last item. A scan may have changed the library since its months were counted, so that
   * positions mean other items now. What the person cannot have seen is left out.
   * @param {number} first @param {number} last @returns {Promise<{ids: string[], left: number}>}
   */
  async #fetchIds(first, last) {
    const ends = await Promise.all([this.#endId(first, last, 1), this.#endId(last, first, -1)]);
    const range = { from: ends[0], through: ends[1], token: this.token };
    const { ids, changed } = await this.api.json(this.query.address('ids', range));
    const unseen = new Set(changed);
    for (const { items } of this.#pages.values()) items?.forEach((item) => unseen.delete(item.id));
    ends.forEach((id) => unseen.delete(id));
    return { ids: ids.filter((/** @type {string} */ id) => !unseen.has(id)), left: unseen.size };
  }

  /**
   * The id of the item at an index, or of the next one towards `other` that the library still has.
   * @param {number} index @param {number} other @param {1|-1} step
   */
  async #endId(index, other, step) {
    for (let place = index; ; place += step) {
      const { id } = await this.load(place);
      if (id !== '' || place === other) return id;
    }
  }

  /** Drops the requests. The grid may show this source again later, so that what is not loaded must count as not requested. */
  close() {
    for (const [key, entry] of this.#pages) {
      entry.cancel?.();
      entry.cancel = null;
      if (!entry.items) this.#pages.delete(key);
    }
  }
}

/**
 * The items that are selected when this view opens. An item that the person deselects stays visible until the view closes.
 * @implements {Source}
 */
class SelectedSource {
  /** @type {Map<string, Item>} */
  #items = new Map();
  /** @type {Map<string, () => void>} */
  #requests = new Map();

  /** @param {{api: Api, queue: RequestQueue, words: Words}} services @param {string[]} ids @param {() => void} changed */
  constructor({ api, queue, words }, ids, changed) {
    this.api = api;
    this.queue = queue;
    this.list = ids.slice();
    this.changed = changed;
    this.count = ids.length;
    /** @type {Group[]} */
    this.groups = [{ key: 'selected', label: words.text('selectedItems'), count: ids.length, start: 0 }];
  }

  /** @param {number} index */
  item(index) {
    return this.#items.get(this.list[index]);
  }

  /** @param {number} first @param {number} last */
  want(first, last) {
    const wanted = new Set(this.list.slice(first, last + 1));
    for (const id of wanted) {
      if (this.#items.has(id) || this.#requests.has(id)) continue;
      this.#requests.set(id, this.queue.add(() => -1e9, async (signal) => {
        await this.#fetch(id, signal);
        this.#requests.delete(id);
        this.changed();
      }));
    }
    for (const [id, cancel] of this.#requests) {
      if (wanted.has(id)) continue;
      cancel();
      this.#requests.delete(id);
    }
  }

  /** @param {string} id @param {AbortSignal} [signal] @returns {Promise<Item>} */
  async #fetch(id, signal) {
    /** @type {Item} */
    let item;
    try {
      item = await this.api.json(`items/${id}`, { signal });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The id stays, so that the person can deselect what is gone.
      item = { ...GONE_ITEM, id, status: error.code === 404 ? 'gone' : 'unreadable' };
    }
    this.#items.set(id, item);
    return item;
  }

  /** @param {number} index */
  async load(index) {
    return this.item(index) ?? this.#fetch(this.list[index]);
  }

  /** @param {number} from @param {number} to */
  async ids(from, to) {
    const ids = from <= to ? this.list.slice(from, to + 1) : this.list.slice(to, from + 1).reverse();
    return { ids, left: 0 };
  }

  close() {
    for (const cancel of this.#requests.values()) cancel();
  }
}

/**
 * The chosen ids in their order. A change shows at once; the server confirms it later or it is rolled back.
 * Events: `change`; `refused` when the limit forbids an addition; `rollback` (detail: message); of ranges, `left` (detail: the number
 * of items left out) and `unreachable` (detail: message).
 */
class Selection extends EventTarget {
  /** @type {string[]} */
  ids = [];
  /** @type {Map<string, number>} */
  #numbers = new Map();
  /**
   * What the server confirmed last.
   * @type {string[]}
   */
  #confirmed = [];
  /**
   * Changes that the server has not received.
   * @type {{add: Set<string>, remove: Set<string>}[]}
   */
  #changes = [];
  /** @type {Promise<void>|null} */
  #sending = null;

  /** @param {Api} api @param {any} session */
  constructor(api, session) {
    super();
    this.api = api;
    this.ordered = session.ordered;
    /** The person's limit; 0 if there is only the server's maximum. */
    this.limit = session.selectionLimit;
    this.maximum = session.selectionLimit || session.maximumSelection || 10_000;
    this.#confirmed = session.selection;
    this.#adopt(session.selection);
  }

  get count() {
    return this.ids.length;
  }

  get isFull() {
    return this.count >= this.maximum;
  }

  /** @param {string} id */
  has(id) {
    return this.#numbers.has(id);
  }

  /**
   * The position in the selection, from 1.
   * @param {string} id
   */
  number(id) {
    return this.#numbers.get(id);
  }

  /**
   * Whether exactly these items are chosen, in this order if the order counts.
   * @param {string[]} ids
   */
  matches(ids) {
    return ids.length === this.count && ids.every((id, position) => (this.ordered ? id === this.ids[position] : this.has(id)));
  }

  /** @param {string} id */
  toggle(id) {
    if (this.has(id)) this.set(this.ids.filter((other) => other !== id));
    // With a limit of one, another choice replaces the first, as with Apple's picker.
    else if (this.maximum === 1) this.set([id]);
    else if (this.isFull) this.dispatchEvent(new Event('refused'));
    else this.set([...this.ids, id]);
  }

  /**
   * Adds to `base` as many of `ids` as the limit leaves, or removes them.
   * @param {string[]} base @param {string[]} ids @param {boolean} adding
   */
  apply(base, ids, adding) {
    if (!adding) {
      const removed = new Set(ids);
      this.set(base.filter((id) => !removed.has(id)));
      return;
    }
    const present = new Set(base);
    const added = ids.filter((id) => !present.has(id));
    const free = this.maximum - base.length;
    this.set([...base, ...added.slice(0, free)]);
    if (added.length > free) this.dispatchEvent(new Event('refused'));
  }

  /** @param {string[]} next */
  set(next) {
    const wanted = new Set(next);
    const remove = this.ids.filter((id) => !wanted.has(id));
    let add = next.filter((id) => !this.has(id));
    if (this.ordered) {
      // The server appends. Ids that move within the order are therefore removed and added again.
      const kept = this.ids.filter((id) => wanted.has(id));
      const moved = next.findIndex((id, position) => position < kept.length && id !== kept[position]);
      if (moved >= 0) {
        this.#record([], kept.slice(moved));
        add = next.slice(moved);
      }
    }
    if (add.length === 0 && remove.length === 0) return;
    this.#record(add, remove);
    this.#adopt(next);
    this.#sending ??= this.#send();
  }

  /**
   * Merges a change into the last unsent one, unless an id is removed by one and added by the other.
   * @param {string[]} add @param {string[]} remove
   */
  #record(add, remove) {
    const last = this.#changes[this.#changes.length - 1];
    if (last && !add.some((id) => last.remove.has(id)) && !remove.some((id) => last.add.has(id))) {
      add.forEach((id) => last.add.add(id));
      remove.forEach((id) => last.remove.add(id));
    } else {
      this.#changes.push({ add: new Set(add), remove: new Set(remove) });
    }
  }

  async #send() {
    for (let change = this.#changes.shift(); change; change = this.#changes.shift()) {
      try {
        const answer = await this.api.json('selection', { body: { add: [...change.add], remove: [...change.remove] } });
        this.#confirmed = answer.selection;
        if (this.#changes.length === 0) this.#adopt(this.#confirmed);
      } catch (error) {
        await this.#rollBack(error);
      }
    }
    // In the same step as the last look at the changes, so that none is left behind.
    this.#sending = null;
  }

  /** @param {any} error */
  async #rollBack(error) {
    this.#changes = [];
    // Another window of the same session may have changed the selection: ask what it is.
    const session = await this.api.json('session').catch(() => null);
    if (session) this.#confirmed = session.selection;
    this.#adopt(this.#confirmed);
    this.dispatchEvent(new CustomEvent('rollback', { detail: error.message }));
  }

  /**
   * Takes over the server's selection, unless changes are on their way.
   * @param {string[]} ids
   */
  refresh(ids) {
    if (this.#sending) return;
    this.#confirmed = ids;
    this.#adopt(ids);
  }

  /** @param {string[]} ids */
  #adopt(ids) {
    const isSame = ids.length === this.count && ids.every((id, position) => id === this.ids[position]);
    if (isSame) return;
    this.ids = ids.slice();
    this.#numbers = new Map(ids.map((id, position) => [id, position + 1]));
    this.dispatchEvent(new Event('change'));
  }

  /** Resolves when the server has every change. */
  async settled() {
    while (this.#sending) await this.#sending;
  }
}

/**
 * The boxes for what results contain, as far as the program leaves it to the person. A change shows at once; the server confirms it
 * later or it is taken back. Event: `unreachable` (detail: message) when it is taken back.
 */
class Options extends EventTarget {
  /** @type {HTMLInputElement[]} */
  #boxes;
  /**
   * What the server confirmed last.
   * @type {Record<string, boolean>}
   */
  #confirmed;
  /** @type {Promise<void>|null} */
  #sending = null;

  /** @param {Api} api @param {any} options */
  constructor(api, options) {
    super();
    this.api = api;
    byId('options').hidden = !options.mayIncludeLocation && !options.mayIncludeCaptions;
    byId('include-location').hidden = !options.mayIncludeLocation;
    byId('include-captions').hidden = !options.mayIncludeCaptions;
    new Popover('options');
    const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('[data-option]'));
    this.#boxes = [...boxes].filter((box) => !box.closest('label')?.hidden);
    this.#confirmed = options;
    this.#show();
    for (const box of this.#boxes) box.addEventListener('change', () => { this.#sending ??= this.#send(); });
  }

  /** What the person sees. */
  get values() {
    return Object.fromEntries(this.#boxes.map((box) => [String(box.dataset.option), box.checked]));
  }

  /** @param {Record<string, boolean>} values */
  matches(values) {
    return this.#boxes.every((box) => box.checked === values[String(box.dataset.option)]);
  }

  async #send() {
    try {
      let sent;
      do {
        sent = this.values;
        this.#confirmed = (await this.api.json('options', { body: sent })).metadataOptions;
      } while (!this.matches(sent));
    } catch (error) {
      this.dispatchEvent(new CustomEvent('unreachable', { detail: /** @type {Error} */ (error).message }));
    }
    this.#show();
    this.#sending = null;
  }

  #show() {
    for (const box of this.#boxes) box.checked = this.#confirmed[String(box.dataset.option)];
  }

  /**
   * Takes over the server's options, unless changes are on their way.
   * @param {Record<string, boolean>} options
   */
  refresh(options) {
    if (this.#sending) return;
    this.#confirmed = options;
    this.#show();
  }

  /** Resolves when the server has every change. */
  async settled() {
    while (this.#sending) await this.#sending;
  }
}

/**
 * Selects or deselects from an anchor to a moving end; what the end leaves again returns to its earlier state. A change that
 * something else has made in the meantime, such as "Deselect all" or the server, stays.
 */
class RangeGesture {
  /** The most items that one gesture deselects. */
  static MOST_REMOVED = 100_000;

  #turn = 0;
  /**
   * The selection as this gesture left it.
   * @type {string[]}
   */
  #made;

  /** @param {Selection} selection @param {Source} source @param {number} anchor @param {boolean} adding */
  constructor(selection, source, anchor, adding) {
    this.selection = selection;
    this.source = source;
    this.anchor = anchor;
    this.adding = adding;
    this.base = selection.ids.slice();
    this.#made = this.base;
  }

  /** @param {number} index */
  async extend(index) {
    this.#turn += 1;
    const turn = this.#turn;
    if (!this.selection.matches(this.#made)) {
      this.base = this.selection.ids.slice();
      this.#made = this.base;
    }
    // One id more than the limit is enough to know that the limit is exceeded; a million ids are not requested.
    const reach = this.adding ? this.selection.maximum + this.base.length : RangeGesture.MOST_REMOVED;
    const end = clamp(index, this.anchor - reach, this.anchor + reach);
    const range = await this.source.ids(this.anchor, end).catch((error) => {
      if (turn === this.#turn) this.selection.dispatchEvent(new CustomEvent('unreachable', { detail: error.message }));
      return null;
    });
    // What changed while the ids were on their way is the later decision.
    if (!range || turn !== this.#turn || !this.selection.matches(this.#made)) return;
    this.selection.apply(this.base, range.ids, this.adding);
    this.#made = this.selection.ids;
    if (range.left > 0) this.selection.dispatchEvent(new CustomEvent('left', { detail: range.left }));
  }

  /** Drops an extension whose ids are on their way. */
  cancel() {
    this.#turn += 1;
  }
}

/** The geometry of the grid, in pixels of an unlimited space. */
class Layout {
  static HEADER = 44;
  static GAP = 2;

  /** @param {Group[]} groups @param {number} width */
  constructor(groups, width) {
    this.groups = groups;
    this.width = width;
    this.columns = Layout.columns(width);
    /** The distance from a tile to the next; a tile's side is the gap less. */
    this.pitch = Math.floor((width + Layout.GAP) / this.columns);
    this.side = this.pitch - Layout.GAP;
    this.tops = new Float64Array(groups.length + 1);
    this.starts = Float64Array.from(groups, (group) => group.start);
    groups.forEach((group, position) => {
      this.tops[position + 1] = this.tops[position] + Layout.HEADER + Math.ceil(group.count / this.columns) * this.pitch;
    });
    this.height = this.tops[groups.length];
  }

  /**
   * Tiles grow with the window, so that a wall does not show thousands.
   * @param {number} width
   */
  static columns(width) {
    return Math.max(3, Math.round(width / (110 + width * 0.035)));
  }

  /** @param {number} y */
  groupAt(y) {
    return clamp(lastNotAbove(this.tops, y), 0, this.groups.length - 1);
  }

  /** @param {number} index */
  groupOf(index) {
    return lastNotAbove(this.starts, index);
  }

  /** @param {number} index */
  place(index) {
    const position = this.groupOf(index);
    const local = index - this.starts[position];
    return {
      x: Math.round((local % this.columns) * ((this.width + Layout.GAP) / this.columns)),
      y: this.tops[position] + Layout.HEADER + Math.floor(local / this.columns) * this.pitch,
    };
  }

  /**
   * The item at a position, or the nearest one of its month.
   * @param {number} x @param {number} y
   */
  indexAt(x, y) {
    const position = this.groupAt(y);
    const { count, start } = this.groups[position];
    const row = clamp(Math.floor((y - this.tops[position] - Layout.HEADER) / this.pitch), 0, Math.ceil(count / this.columns) - 1);
    const column = clamp(Math.floor((x / this.width) * this.columns), 0, this.columns - 1);
    return start + Math.min(count - 1, row * this.columns + column);
  }

  /**
   * The items whose rows reach into a vertical range.
   * @param {number} top @param {number} bottom
   */
  range(top, bottom) {
    return { first: this.indexAt(0, top), last: this.indexAt(this.width, bottom) };
  }

  /**
   * The item a row above (-1) or below (+1), in the same column where there is one.
   * @param {number} index @param {1|-1} direction
   */
  rowStep(index, direction) {
    const position = this.groupOf(index);
    const { start, count } = this.groups[position];
    const local = index - start;
    const column = local % this.columns;
    const row = Math.floor(local / this.columns) + direction;
    const lastRow = Math.floor((count - 1) / this.columns);
    if (row >= 0 && row <= lastRow) return start + Math.min(count - 1, row * this.columns + column);
    const neighbour = this.groups[position + direction];
    if (!neighbour) return index;
    const neighbourRow = direction > 0 ? 0 : Math.floor((neighbour.count - 1) / this.columns);
    return neighbour.start + Math.min(neighbour.count - 1, neighbourRow * this.columns + column);
  }
}

/**
 * Maps an unlimited space onto a scrolled element. Browsers limit the height of elements (Firefox to 17.8 million pixels), and a
 * million items in three columns need more. Above LIMIT the element is shorter than the space: scrolling stays 1:1, and the
 * scroll position is corrected when it comes to rest. Near both ends the two positions agree, so that the ends can be reached.
 */
class ScrollSpace {
  /** Small enough that positions keep their precision in single-precision transforms. */
  static LIMIT = 4_000_000;
  /** The part at each end where the element's position is the space's. */
  static EDGE = 200_000;

  #last = 0;
  #isScaled = false;
  #timer = 0;

  /** @param {HTMLElement} scroller @param {HTMLElement} canvas @param {() => void} moved */
  constructor(scroller, canvas, moved) {
    this.scroller = scroller;
    this.canvas = canvas;
    this.moved = moved;
    this.top = 0;
    this.view = 0;
    this.height = 0;
    scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true });
  }

  /** @param {number} height @param {number} view */
  resize(height, view) {
    this.height = height;
    this.view = view;
    this.#isScaled = height > ScrollSpace.LIMIT;
    this.canvas.style.height = `${Math.max(view, Math.min(height, ScrollSpace.LIMIT))}px`;
  }

  get maximum() {
    return Math.max(0, this.height - this.view);
  }

  get #realMaximum() {
    return Math.max(0, Math.min(this.height, ScrollSpace.LIMIT) - this.view);
  }

  /**
   * Converts a position of the space to one of the element, or back.
   * @param {number} position
   * @param {number} from The maximum of the given position.
   * @param {number} to The maximum of the result.
   */
  #convert(position, from, to) {
    const edge = ScrollSpace.EDGE;
    if (!this.#isScaled || position <= edge) return position;
    if (position >= from - edge) return to - (from - position);
    return edge + ((position - edge) * (to - 2 * edge)) / (from - 2 * edge);
  }

  /** What to subtract from a position of the space to get one inside the canvas. */
  get shift() {
    // The remembered position: reading the element's would force a layout with each frame.
    return this.top - this.#last;
  }

  /** @param {number} top */
  scrollTo(top) {
    this.top = Math.round(clamp(top, 0, this.maximum));
    this.scroller.scrollTop = Math.round(this.#convert(this.top, this.maximum, this.#realMaximum));
    this.#last = this.scroller.scrollTop;
    this.moved();
  }

  #scrolled() {
    const real = this.scroller.scrollTop;
    const step = real - this.#last;
    this.#last = real;
    if (step === 0) return;
    if (!this.#isScaled) {
      this.top = clamp(real, 0, this.maximum);
    } else {
      // A jump is a dragged scroll bar; anything smaller is a wheel, a finger or a key.
      const isJump = Math.abs(step) > 8 * this.view;
      this.top = clamp(isJump ? this.#convert(real, this.#realMaximum, this.maximum) : this.top + step, 0, this.maximum);
      const hitsEnd = (real <= 0 && this.top > 0) || (real >= this.#realMaximum && this.top < this.maximum);
      clearTimeout(this.#timer);
      if (hitsEnd) this.scrollTo(this.top);
      else this.#timer = window.setTimeout(() => this.scrollTo(this.top), 200);
    }
    this.moved();
  }
}

/** Loads thumbnails into image elements, nearest first. The browser's cache keeps them. */
class Thumbnails {
  /** Addresses remembered as loaded; they skip the queue. */
  static KEPT = 3000;

  /** @type {Set<string>} */
  #loaded = new Set();
  /** @type {Map<string, 'gone'|'unreadable'>} */
  #failures = new Map();
  /** Called with the server's message when it can make no picture at all. */
  onUnavailable = (/** @type {string} */ _message) => {};

  /** @param {Api} api @param {RequestQueue} queue */
  constructor(api, queue) {
    this.api = api;
    this.queue = queue;
  }

  /** @param {Item} item @param {number} side */
  address(item, side) {
    return new URL(`thumbnails/${item.id}?side=${side}&v=${item.revision}`, this.api.base).href;
  }

  /**
   * @param {HTMLImageElement} image
   * @param {Item} item
   * @param {number} side
   * @param {() => number} priority
   * @param {(failure: 'gone'|'unreadable'|'failed') => void} failed
   * @returns {() => void} Drops the request.
   */
  show(image, item, side, priority, failed) {
    const address = this.address(item, side);
    const failure = this.#failures.get(address);
    if (failure) failed(failure);
    else if (this.#loaded.has(address)) image.src = address;
    else return this.queue.add(priority, (signal) => this.#load(image, address, signal, failed));
    return () => {};
  }

  /**
   * @param {HTMLImageElement} image
   * @param {string} address
   * @param {AbortSignal} signal
   * @param {(failure: 'gone'|'unreadable'|'failed') => void} failed
   */
  async #load(image, address, signal, failed) {
    // Another image may have loaded it while this one waited.
    if (this.#loaded.has(address)) {
      image.src = address;
      return;
    }
    try {
      await Thumbnails.#arrival(image, address, signal).catch(async () => {
        // An image does not report why it failed. The API does, and waits as long as a busy server asks.
        await this.api.blob(address, { signal });
        await Thumbnails.#arrival(image, address, signal);
      });
      this.#loaded.add(address);
      if (this.#loaded.size > Thumbnails.KEPT) this.#loaded.delete(/** @type {string} */ (this.#loaded.values().next().value));
    } catch (error) {
      if (signal.aborted) return;
      const code = error instanceof ApiError ? error.code : 0;
      if (code === 404) this.#failures.set(address, 'gone');
      if (code === 422) this.#failures.set(address, 'unreadable');
      if (code === 503) this.onUnavailable(/** @type {ApiError} */ (error).message);
      failed(this.#failures.get(address) ?? 'failed');
    }
  }

  /** @param {HTMLImageElement} image @param {string} address @param {AbortSignal} signal @returns {Promise<void>} */
  static #arrival(image, address, signal) {
    return new Promise((resolve, reject) => {
      image.onload = () => resolve();
      image.onerror = () => reject(new Error(address));
      signal.addEventListener('abort', () => {
        // Without a source the browser drops the request.
        image.removeAttribute('src');
        reject(signal.reason);
      }, { once: true });
      image.src = address;
    });
  }
}

/** One item of the grid: an option with a picture and at most three badges, six nodes together. */
class Tile {
  static BADGES = 3;

  /** @type {Item|null} */
  item = null;
  #release = () => {};

  /** @param {Grid} grid @param {number} index */
  constructor(grid, index) {
    this.grid = grid;
    this.index = index;
    this.element = element('div', 'tile');
    this.element.id = `option-${index}`;
    this.element.dataset.index = String(index);
    this.element.setAttribute('role', 'option');
    this.element.setAttribute('aria-posinset', String(index + 1));
    this.element.setAttribute('aria-setsize', String(grid.source.count));
    this.refresh();
  }

  /** Shows the item if it has arrived since. */
  load() {
    if (this.item) return;
    const item = this.grid.source.item(this.index);
    if (!item) return;
    this.item = item;
    this.element.dataset.id = item.id;
    if (item.status === 'present') this.#showPicture(item);
    this.#showBadges(item);
    this.refresh();
  }

  /** @param {Item} item */
  #showPicture(item) {
    const image = new Image();
    image.alt = '';
    image.draggable = false;
    image.decoding = 'async';
    this.element.prepend(image);
    const priority = () => this.grid.distance(this.index);
    this.#release = this.grid.thumbnails.show(image, item, this.grid.thumbnailSide, priority, (failure) => {
      image.remove();
      if (failure === 'failed') this.element.dataset.note = this.grid.words.text('noPreview');
      else this.item = { ...item, status: failure };
      this.refresh();
    });
  }

  /** @param {Item} item */
  #showBadges(item) {
    const { words } = this.grid;
    const badges = BADGE_KINDS.filter((kind) => item.kinds.includes(kind) && (kind !== 'burst' || item.burstCount)).slice(0, Tile.BADGES)
      .map((kind) => element('span', `badge ${kind}`, words.text(`badges.${kind}`, { n: item.burstCount ?? '' })));
    if (item.type === 'video' && item.duration !== null) {
      badges.splice(Tile.BADGES - 1);
      badges.push(element('span', 'badge duration', words.duration(item.duration)));
    }
    if (badges.length === 0) return;
    const holder = element('span', 'badges');
    holder.append(...badges);
    this.element.append(holder);
  }

  /** Shows the selection's state. */
  refresh() {
    const { words, selection } = this.grid;
    const { item } = this;
    const number = item ? selection.number(item.id) : undefined;
    const isSelected = number !== undefined;
    this.element.setAttribute('aria-selected', String(isSelected));
    this.element.setAttribute('aria-label', item ? words.label(item) : words.text('loading'));
    const isRefused = !item || item.status !== 'present' || (selection.isFull && selection.maximum > 1);
    if (isRefused && !isSelected) this.element.setAttribute('aria-disabled', 'true');
    else this.element.removeAttribute('aria-disabled');
    if (item) this.element.dataset.status = item.status;
    if (item && item.status !== 'present') this.element.dataset.note = words.text(`${item.status}Label`);
    if (isSelected && selection.ordered) {
      this.element.dataset.number = words.numbers.format(number);
      this.element.setAttribute('aria-description', words.text('position', { n: number }));
    } else {
      delete this.element.dataset.number;
      this.element.removeAttribute('aria-description');
    }
  }

  remove() {
    this.#release();
    this.element.remove();
  }
}

/** The virtual grid: only the tiles near the visible part are in the document. */
class Grid {
  /** Keeps the document below 2,000 nodes with six nodes a tile. */
  static TILES = 230;

  /** @type {Map<number, Tile>} */
  #tiles = new Map();
  /** @type {Map<number, HTMLElement>} */
  #groups = new Map();
  #origin = 0;
  #frame = 0;
  #renderedTop = 0;
  /** The item that the keyboard acts on; -1 if there is none. */
  active = -1;
  thumbnailSide = THUMBNAIL_SIDES[0];
  /** Called after each change of position or content. */
  onRender = () => {};

  /** @param {{words: Words, thumbnails: Thumbnails, queue: RequestQueue, selection: Selection}} services @param {Source} source */
  constructor({ words, thumbnails, queue, selection }, source) {
    this.words = words;
    this.thumbnails = thumbnails;
    this.queue = queue;
    this.selection = selection;
    this.source = source;
    this.scroller = byId('grid');
    this.window = byId('window');
    this.space = new ScrollSpace(this.scroller, byId('canvas'), () => this.update());
    this.layout = new Layout([], 300);
    selection.addEventListener('change', () => this.#refresh());
    new ResizeObserver(() => this.#resize()).observe(this.scroller);
    this.show(source);
  }

  /**
   * The thumbnail side for a grid of some width.
   * @param {number} width
   */
  static sideFor(width) {
    return roundedSide(THUMBNAIL_SIDES, (width / Layout.columns(width)) * window.devicePixelRatio);
  }

  /** @param {Source} source */
  show(source) {
    if (source !== this.source) this.source.close();
    this.source = source;
    this.setActive(-1);
    this.#measure();
    this.space.scrollTo(0);
    this.#refresh();
  }

  #measure() {
    const { clientWidth, clientHeight } = this.scroller;
    this.#clear();
    this.layout = new Layout(this.source.groups, clientWidth);
    this.thumbnailSide = Grid.sideFor(clientWidth);
    this.window.style.setProperty('--side', `${this.layout.side}px`);
    this.space.resize(this.layout.height, clientHeight);
  }

  /** Keeps the first visible item in place when columns change. */
  #resize() {
    const { layout, space } = this;
    const { clientWidth, clientHeight } = this.scroller;
    if (clientWidth === 0 || (clientWidth === layout.width && clientHeight === space.view)) return;
    if (clientWidth === layout.width) {
      space.resize(layout.height, clientHeight);
      space.scrollTo(space.top);
      return;
    }
    const anchor = space.top > 0 && this.source.count > 0 ? layout.indexAt(0, space.top + Layout.HEADER) : -1;
    const offset = anchor >= 0 ? layout.place(anchor).y - space.top : 0;
    this.#measure();
    space.scrollTo(anchor >= 0 ? this.layout.place(anchor).y - offset : 0);
  }

  #clear() {
    for (const tile of this.#tiles.values()) tile.remove();
    for (const group of this.#groups.values()) group.remove();
    this.#tiles.clear();
    this.#groups.clear();
  }

  /** Renders with the next frame. */
  update() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#render();
    });
  }

  #render() {
    const { layout, space, source } = this;
    if (source.count === 0) {
      this.onRender();
      return;
    }
    if (Math.abs(space.top - this.#renderedTop) > space.view) this.queue.pause(100);
    this.#renderedTop = space.top;
    this.#moveWindow();
    const rows = Math.ceil(space.view / layout.pitch) + 1;
    const spare = clamp(Math.floor((Grid.TILES / layout.columns - rows) / 2), 1, 5) * layout.pitch;
    const { first, last } = layout.range(space.top - spare, space.top + space.view + spare);
    for (const [index, tile] of this.#tiles) {
      if (index >= first && index <= last) continue;
      tile.remove();
      this.#tiles.delete(index);
    }
    source.want(first, last);
    this.#renderGroups(first, last);
    this.#markActive();
    this.onRender();
  }

  /** Tiles are placed from an origin near the visible part, so that their positions stay small. */
  #moveWindow() {
    if (Math.abs(this.space.top - this.#origin) > 100_000) {
      this.#origin = this.space.top;
      for (const tile of this.#tiles.values()) this.#placeTile(tile);
      for (const [position, group] of this.#groups) this.#placeGroup(position, group);
    }
    this.window.style.transform = `translateY(${this.#origin - this.space.shift}px)`;
  }

  /** @param {number} first @param {number} last */
  #renderGroups(first, last) {
    const { layout } = this;
    const [firstGroup, lastGroup] = [layout.groupOf(first), layout.groupOf(last)];
    for (const [position, group] of this.#groups) {
      if (position >= firstGroup && position <= lastGroup) continue;
      group.remove();
      this.#groups.delete(position);
    }
    // Document order is reading order: each element is inserted after its predecessor.
    /** @type {HTMLElement|null} */
    let previous = null;
    for (let position = firstGroup; position <= lastGroup; position += 1) {
      let group = this.#groups.get(position);
      if (!group) {
        group = this.#makeGroup(position);
        if (previous) previous.after(group);
        else this.window.prepend(group);
      }
      previous = group;
      const { start, count } = layout.groups[position];
      this.#renderTiles(group, Math.max(first, start), Math.min(last, start + count - 1));
    }
  }

  /** @param {HTMLElement} group @param {number} first @param {number} last */
  #renderTiles(group, first, last) {
    let previous = /** @type {Element} */ (group.firstElementChild);
    for (let index = first; index <= last; index += 1) {
      let tile = this.#tiles.get(index);
      if (!tile) {
        tile = new Tile(this, index);
        this.#tiles.set(index, tile);
        this.#placeTile(tile);
        previous.after(tile.element);
      }
      tile.load();
      previous = tile.element;
    }
  }

  /** @param {number} position */
  #makeGroup(position) {
    const { label } = this.layout.groups[position];
    const group = element('div', 'group');
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', label);
    const heading = element('div', 'heading', label);
    // The group has this text as its name; a listbox owns options and groups only.
    heading.setAttribute('aria-hidden', 'true');
    group.append(heading);
    this.#groups.set(position, group);
    this.#placeGroup(position, group);
    return group;
  }

  /** @param {number} position @param {HTMLElement} group */
  #placeGroup(position, group) {
    const heading = /** @type {HTMLElement} */ (group.firstElementChild);
    heading.style.transform = `translateY(${this.layout.tops[position] - this.#origin}px)`;
  }

  /** @param {Tile} tile */
  #placeTile(tile) {
    const { x, y } = this.layout.place(tile.index);
    tile.element.style.transform = `translate(${x}px, ${y - this.#origin}px)`;
  }

  #refresh() {
    const { selection } = this;
    this.scroller.classList.toggle('full', selection.isFull && selection.maximum > 1);
    for (const tile of this.#tiles.values()) tile.refresh();
  }

  /**
   * The distance of an item from the middle of the visible part.
   * @param {number} index
   */
  distance(index) {
    return index < this.source.count ? Math.abs(this.layout.place(index).y - this.space.top - this.space.view / 2) : Infinity;
  }

  /** @param {number} index */
  tile(index) {
    return this.#tiles.get(index);
  }

  /**
   * The tile that an event happened on.
   * @param {Event} event
   */
  tileOf(event) {
    const option = event.target instanceof Element ? /** @type {HTMLElement|null} */ (event.target.closest('[role=option]')) : null;
    return option ? this.#tiles.get(Number(option.dataset.index)) : undefined;
  }

  /**
   * The nearest item of a position in the browser's window.
   * @param {number} clientX @param {number} clientY
   */
  indexAt(clientX, clientY) {
    const box = this.scroller.getBoundingClientRect();
    return this.layout.indexAt(clientX - box.left, clamp(clientY - box.top, 0, box.height) + this.space.top);
  }

  /** @param {number} index */
  setActive(index, reveal = false) {
    this.tile(this.active)?.element.classList.remove('active');
    this.active = index;
    if (reveal && index >= 0) this.reveal(index);
    this.#markActive();
    this.onRender();
  }

  #markActive() {
    const tile = this.tile(this.active);
    tile?.element.classList.add('active');
    // The attribute must not name an element that is outside of the document.
    if (tile) this.scroller.setAttribute('aria-activedescendant', tile.element.id);
    else this.scroller.removeAttribute('aria-activedescendant');
  }

  /**
   * Scrolls as far as needed to show an item whole.
   * @param {number} index
   */
  reveal(index) {
    const { space, layout } = this;
    const { y } = layout.place(index);
    const group = layout.groupOf(index);
    const isFirstRow = index - layout.starts[group] < layout.columns;
    const above = isFirstRow ? layout.tops[group] : y - Layout.GAP;
    if (above < space.top) space.scrollTo(above);
    else if (y + layout.pitch > space.top + space.view) space.scrollTo(y + layout.pitch - space.view);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#render();
  }

  get firstVisible() {
    return this.layout.indexAt(0, this.space.top + Layout.HEADER);
  }

  get visibleGroup() {
    return this.layout.groupAt(this.space.top + 1);
  }
}

/** Mouse, finger and pen on the grid: click, double click, shift-click, drag, long press, hover. */
class GridPointer {
  static HOVER_DELAY = 300;
  static PRESS_DELAY = 450;
  /** Pixels that a pointer may move without being a drag. */
  static SLOP = 8;

  /** @type {{x: number, y: number, tile: Tile, pointer: number, isTouch: boolean}|null} */
  #start = null;
  /** @type {RangeGesture|null} */
  #drag = null;
  #dragPoint = { x: 0, y: 0 };
  #dragIndex = -1;
  #pressTimer = 0;
  #hoverTimer = 0;
  /** The click that follows a drag or a long press does not toggle. */
  #ignoresClick = false;
  /** @type {string[]} */
  #beforeClick = [];

  /** @param {Grid} grid @param {Chooser} chooser @param {Preview} preview */
  constructor(grid, chooser, preview) {
    this.grid = grid;
    this.chooser = chooser;
    this.preview = preview;
    const { scroller } = grid;
    scroller.addEventListener('pointerdown', (event) => this.#down(event));
    scroller.addEventListener('pointermove', (event) => this.#move(event));
    scroller.addEventListener('pointerup', () => this.#end());
    scroller.addEventListener('pointercancel', () => this.#end());
    scroller.addEventListener('click', (event) => this.#click(event));
    scroller.addEventListener('pointerover', (event) => this.#over(event));
    scroller.addEventListener('pointerleave', () => this.#leave());
    scroller.addEventListener('contextmenu', (event) => {
      if (this.#start?.isTouch) event.preventDefault();
    });
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const tile = this.grid.tileOf(event);
    this.#ignoresClick = false;
    if (!tile || event.button !== 0) return;
    const isTouch = event.pointerType !== 'mouse';
    this.#start = { x: event.clientX, y: event.clientY, tile, pointer: event.pointerId, isTouch };
    clearTimeout(this.#hoverTimer);
    if (!isTouch) return;
    this.#pressTimer = window.setTimeout(() => {
      this.#ignoresClick = true;
      this.preview.play(tile);
    }, GridPointer.PRESS_DELAY);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (this.#drag) {
      this.#dragPoint = { x: event.clientX, y: event.clientY };
      this.#extendDrag();
      return;
    }
    if (!this.#start || this.#start.pointer !== event.pointerId) return;
    const [dx, dy] = [Math.abs(event.clientX - this.#start.x), Math.abs(event.clientY - this.#start.y)];
    if (Math.max(dx, dy) < GridPointer.SLOP) return;
    clearTimeout(this.#pressTimer);
    // A finger that starts upwards or downwards scrolls; the browser then cancels the pointer.
    if (this.#start.isTouch ? dx > dy : this.grid.indexAt(event.clientX, event.clientY) !== this.#start.tile.index) this.#beginDrag(event);
  }

  /** @param {PointerEvent} event */
  #beginDrag(event) {
    const { tile, pointer } = this.#start ?? {};
    if (!this.chooser.allowsRanges || !tile?.item || pointer === undefined) return;
    this.#ignoresClick = true;
    this.preview.stop();
    this.#drag = new RangeGesture(this.grid.selection, this.grid.source, tile.index, !this.grid.selection.has(tile.item.id));
    this.#dragPoint = { x: event.clientX, y: event.clientY };
    this.#dragIndex = -1;
    this.grid.scroller.setPointerCapture(pointer);
    this.#extendDrag();
    requestAnimationFrame(() => this.#scrollAtEdge());
  }

  #extendDrag() {
    const index = this.grid.indexAt(this.#dragPoint.x, this.#dragPoint.y);
    if (index === this.#dragIndex) return;
    this.#dragIndex = index;
    this.#drag?.extend(index);
  }

  /** Scrolls while the pointer is near the upper or lower edge, faster towards it. */
  #scrollAtEdge() {
    if (!this.#drag) return;
    const { top, bottom } = this.grid.scroller.getBoundingClientRect();
    const zone = 48;
    const { y } = this.#dragPoint;
    const depth = y < top + zone ? y - top - zone : Math.max(0, y - bottom + zone);
    if (depth !== 0) {
      this.grid.space.scrollTo(this.grid.space.top + clamp(depth / 3, -24, 24));
      this.#extendDrag();
    }
    requestAnimationFrame(() => this.#scrollAtEdge());
  }

  #end() {
    clearTimeout(this.#pressTimer);
    if (this.#drag) this.chooser.rangeEnded(this.#dragIndex);
    if (this.#start?.isTouch) this.preview.stop();
    this.#start = null;
    this.#drag = null;
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const tile = this.grid.tileOf(event);
    if (event.detail < 2) this.#beforeClick = this.grid.selection.ids.slice();
    if (this.#ignoresClick || !tile) return;
    this.preview.stop();
    if (event.detail === 2) {
      // The first click of a double click has toggled the item, or extended a range: take it back.
      this.chooser.takeBack(this.#beforeClick);
      this.chooser.open(tile.index);
    } else if (event.shiftKey && this.chooser.allowsRanges) {
      this.chooser.extendRange(tile.index);
    } else if (event.detail < 2) {
      this.chooser.toggle(tile.index);
    }
  }

  /** @param {PointerEvent} event */
  #over(event) {
    if (event.pointerType !== 'mouse' || event.buttons !== 0) return;
    const tile = this.grid.tileOf(event);
    this.chooser.hover(tile);
    if (tile && this.preview.tile === tile) return;
    clearTimeout(this.#hoverTimer);
    this.preview.stop();
    if (!tile || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    this.#hoverTimer = window.setTimeout(() => this.preview.play(tile), GridPointer.HOVER_DELAY);
  }

  #leave() {
    clearTimeout(this.#hoverTimer);
    if (!this.#start) this.preview.stop();
  }
}

/** The keyboard on the grid. Space selects when it is released; held down it plays the item instead. */
class GridKeys {
  static HOLD_DELAY = 400;

  #holdTimer = 0;
  #isHeld = false;

  /** @param {Grid} grid @param {Chooser} chooser @param {Preview} preview */
  constructor(grid, chooser, preview) {
    this.grid = grid;
    this.chooser = chooser;
    this.preview = preview;
    grid.scroller.addEventListener('keydown', (event) => this.#down(event));
    grid.scroller.addEventListener('keyup', (event) => this.#up(event));
    grid.scroller.addEventListener('blur', () => this.#release());
    grid.scroller.addEventListener('focus', () => {
      if (grid.active < 0 && grid.source.count > 0 && grid.scroller.matches(':focus-visible')) grid.setActive(grid.firstVisible);
    });
  }

  /** @param {KeyboardEvent} event */
  #down(event) {
    if (event.altKey || this.grid.source.count === 0) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== 'a') return;
      event.preventDefault();
      if (event.shiftKey) this.chooser.deselectAll();
      else this.chooser.selectAll();
      return;
    }
    const target = this.#target(event.key);
    if (target !== undefined) this.#go(target, event.shiftKey);
    else if (event.key === ' ') this.#press(event.repeat);
    else if (event.key === 'Enter') this.chooser.open(this.#active);
    else if (event.key === 'p' || event.key === 'P') this.#togglePreview();
    else return;
    event.preventDefault();
  }

  /** The active item, or the first visible one before the keyboard was used. */
  get #active() {
    return this.grid.active >= 0 ? this.grid.active : this.grid.firstVisible;
  }

  /**
   * Where a key leads to; undefined if it does not move.
   * @param {string} key
   */
  #target(key) {
    const { grid } = this;
    const { layout, source, space } = grid;
    const last = source.count - 1;
    if (key === 'Home') return 0;
    if (key === 'End') return last;
    const isMove = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'].includes(key);
    if (!isMove) return undefined;
    if (grid.active < 0) return grid.firstVisible;
    const { x, y } = layout.place(grid.active);
    const middle = x + layout.pitch / 2;
    switch (key) {
      case 'ArrowLeft': return Math.max(0, grid.active - 1);
      case 'ArrowRight': return Math.min(last, grid.active + 1);
      case 'ArrowUp': return layout.rowStep(grid.active, -1);
      case 'ArrowDown': return layout.rowStep(grid.active, 1);
      case 'PageUp': return layout.indexAt(middle, Math.max(0, y - space.view + layout.pitch));
      default: return layout.indexAt(middle, Math.min(layout.height - 1, y + space.view - layout.pitch));
    }
  }

  /** @param {number} index @param {boolean} extends_ */
  #go(index, extends_) {
    this.preview.stop();
    if (extends_ && this.chooser.allowsRanges) this.chooser.extendRange(index);
    else this.chooser.endRange();
    this.grid.setActive(index, true);
    this.chooser.hover(this.grid.tile(index));
  }

  /** @param {boolean} isRepeat */
  #press(isRepeat) {
    if (isRepeat) return;
    this.#isHeld = false;
    const tile = this.grid.tile(this.#active);
    this.#holdTimer = window.setTimeout(() => {
      this.#isHeld = true;
      if (tile) this.preview.play(tile);
    }, GridKeys.HOLD_DELAY);
  }

  /** @param {KeyboardEvent} event */
  #up(event) {
    if (event.key !== ' ' || !this.#holdTimer) return;
    event.preventDefault();
    const isHeld = this.#isHeld;
    this.#release();
    if (!isHeld) this.chooser.toggle(this.#active);
  }

  #release() {
    clearTimeout(this.#holdTimer);
    this.#holdTimer = 0;
    if (this.#isHeld) this.preview.stop();
    this.#isHeld = false;
  }

  #togglePreview() {
    const tile = this.grid.tile(this.#active);
    if (this.preview.tile) this.preview.stop();
    else if (tile) this.preview.play(tile);
  }
}

/** What pointer and keyboard do with items: toggle, range, open. Keeps the anchor of a range. */
class Chooser {
  /** @type {RangeGesture|null} */
  #range = null;
  /** Where the next range starts; -1 before the first choice. */
  #anchor = -1;

  /**
   * @param {Grid} grid
   * @param {StatusLine} status
   * @param {{allowsRanges: boolean, open: (index: number) => void}} options
   */
  constructor(grid, status, { allowsRanges, open }) {
    this.grid = grid;
    this.status = status;
    this.allowsRanges = allowsRanges;
    this.expand = byId('expand');
    this.openViewer = open;
    this.expand.addEventListener('click', () => this.open(Number(this.expand.dataset.index)));
    // The button covers a part of the list, which a wheel over it scrolls all the same.
    this.expand.addEventListener('wheel', (event) => grid.scroller.scrollBy(0, event.deltaY), { passive: true });
  }

  /** Forgets positions of the list shown before. */
  reset() {
    this.#range = null;
    this.#anchor = -1;
    this.hover(undefined);
  }

  /** @param {number} index */
  toggle(index) {
    this.endRange();
    this.grid.setActive(index);
    this.#anchor = index;
    const tile = this.grid.tile(index);
    const item = tile?.item;
    if (!tile || !item) return;
    if (item.status !== 'present' && !this.grid.selection.has(item.id)) this.status.say(this.grid.words.text(item.status));
    else this.grid.selection.toggle(item.id);
    this.hover(tile);
  }

  /** @param {number} index */
  extendRange(index) {
    const { grid } = this;
    if (!this.#range) {
      // Without an earlier choice the range is this item: from the beginning of the list, it would have what the person has not seen.
      const start = [this.#anchor, grid.active, index].find((place) => place >= 0) ?? 0;
      this.#anchor = clamp(start, 0, grid.source.count - 1);
      this.#range = new RangeGesture(grid.selection, grid.source, this.#anchor, true);
    }
    this.#range.extend(index);
    grid.setActive(index);
  }

  /** Ends a keyboard or shift-click range: the next one starts at the active item. */
  endRange() {
    if (this.#range) this.#anchor = -1;
    this.#range = null;
  }

  /**
   * A drag has ended at an item.
   * @param {number} index
   */
  rangeEnded(index) {
    this.#range = null;
    this.#anchor = index;
    this.grid.setActive(index);
  }

  /**
   * Undoes the last click.
   * @param {string[]} ids The selection before it.
   */
  takeBack(ids) {
    this.#range?.cancel();
    this.grid.selection.set(ids);
  }

  async selectAll() {
    const { selection, source } = this.grid;
    if (!this.allowsRanges || source.count === 0) return;
    this.endRange();
    await new RangeGesture(selection, source, 0, true).extend(source.count - 1);
  }

  deselectAll() {
    if (!this.allowsRanges) return;
    this.endRange();
    this.grid.selection.set([]);
  }

  /** @param {number} index */
  open(index) {
    this.endRange();
    this.openViewer(index);
  }

  /**
   * Puts the button for the large view onto a tile.
   * @param {Tile|undefined} tile
   */
  hover(tile) {
    this.expand.hidden = !tile?.item || tile.item.status !== 'present';
    if (!tile?.item || this.expand.hidden) return;
    const stage = /** @type {Element} */ (this.expand.parentElement).getBoundingClientRect();
    const box = tile.element.getBoundingClientRect();
    this.expand.dataset.index = String(tile.index);
    // However large the text is, a click into the middle of the tile selects it.
    this.expand.style.setProperty('--most', `${Math.floor(box.width * 0.4)}px`);
    this.expand.setAttribute('aria-label', this.grid.words.text('largeViewOf', { label: this.grid.words.label(tile.item) }));
    this.expand.style.transform = `translate(${box.right - stage.left}px, ${box.top - stage.top}px) translateX(-100%)`;
  }
}

/** Addresses of clips, which the server makes on demand. */
class Clips {
  static POLL = 500;

  /** @param {Api} api */
  constructor(api) {
    this.api = api;
  }

  /** @param {string} id @param {AbortSignal} signal @param {(fraction: number) => void} [progress] */
  async url(id, signal, progress) {
    for (;;) {
      const answer = await this.api.json(`videos/${id}`, { signal });
      if (answer.state === 'ready') return new URL(answer.url, this.api.base).href;
      progress?.(answer.fraction ?? 0);
      await delay(Clips.POLL, signal);
    }
  }
}

/** Plays the clip of a Live Photo or video on its tile: muted, in a loop, one at a time. */
class Preview {
  /** @type {Tile|null} */
  tile = null;
  #controller = new AbortController();
  /** @type {HTMLVideoElement|null} */
  #video = null;

  /** @param {Clips} clips */
  constructor(clips) {
    this.clips = clips;
  }

  /** @param {Tile} tile */
  async play(tile) {
    this.stop();
    if (!tile.item || tile.item.status !== 'present' || !isPlayable(tile.item)) return;
    this.tile = tile;
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    tile.element.classList.add('playing');
    try {
      const url = await this.clips.url(tile.item.id, signal);
      if (!signal.aborted) this.#show(tile, url);
    } catch {
      // A preview is an extra: the large view reports why a clip can't be played.
      if (this.tile === tile) this.stop();
    }
  }

  /** @param {Tile} tile @param {string} url */
  #show(tile, url) {
    const video = document.createElement('video');
    Object.assign(video, { className: 'preview', muted: true, loop: true, playsInline: true, src: url });
    video.setAttribute('aria-hidden', 'true');
    video.addEventListener('playing', () => video.classList.add('visible'));
    tile.element.append(video);
    this.#video = video;
    video.play().catch(() => this.stop());
  }

  stop() {
    this.#controller.abort();
    this.tile?.element.classList.remove('playing');
    this.tile = null;
    if (!this.#video) return;
    this.#video.pause();
    // Without a source the browser closes the connection.
    this.#video.removeAttribute('src');
    this.#video.load();
    this.#video.remove();
    this.#video = null;
  }
}

/** The large view: one item with its picture or video, and its details. */
class Viewer {
  #index = 0;
  /** @type {Item|null} */
  #item = null;
  #controller = new AbortController();
  /** Ends the clip of a Live Photo, also while the server prepares it. */
  #clip = new AbortController();
  /** @type {string|null} */
  #objectUrl = null;
  #swipeStart = NaN;

  /**
   * @param {{api: Api, words: Words, clips: Clips, thumbnails: Thumbnails, selection: Selection, status: StatusLine}} services
   * @param {Grid} grid
   */
  constructor({ api, words, clips, thumbnails, selection, status }, grid) {
    this.api = api;
    this.words = words;
    this.clips = clips;
    this.thumbnails = thumbnails;
    this.selection = selection;
    this.status = status;
    this.grid = grid;
    this.dialog = byId(/** @type {any} */ ('viewer'));
    this.picture = byId('viewer-picture');
    this.facts = byId('viewer-facts');
    this.note = byId('viewer-note');
    this.selectButton = byId('viewer-select');
    this.detailsButton = byId('viewer-details');
    this.liveButton = byId('viewer-live');
    this.#listen();
  }

  #listen() {
    const dialog = /** @type {HTMLDialogElement} */ (this.dialog);
    byId('viewer-close').addEventListener('click', () => dialog.close());
    byId('viewer-previous').addEventListener('click', () => this.#turn(-1));
    byId('viewer-next').addEventListener('click', () => this.#turn(1));
    this.selectButton.addEventListener('click', () => this.#toggle());
    this.detailsButton.addEventListener('click', () => this.#toggleDetails());
    this.liveButton.addEventListener('click', () => this.#toggleLive());
    this.selection.addEventListener('change', () => this.#refresh());
    dialog.addEventListener('close', () => this.#closed());
    dialog.addEventListener('keydown', (event) => {
      // Inside a video the arrows seek, inside the details they scroll.
      if (event.target instanceof HTMLVideoElement || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === 'ArrowLeft') this.#turn(-1);
      else if (event.key === 'ArrowRight') this.#turn(1);
    });
    this.picture.addEventListener('pointerdown', (event) => { this.#swipeStart = event.pointerType === 'touch' ? event.clientX : NaN; });
    this.picture.addEventListener('pointerup', (event) => {
      const distance = event.clientX - this.#swipeStart;
      if (Math.abs(distance) > 60) this.#turn(distance > 0 ? -1 : 1);
    });
  }

  /** @param {number} index */
  open(index) {
    const dialog = /** @type {HTMLDialogElement} */ (this.dialog);
    if (!dialog.open) dialog.showModal();
    this.selectButton.focus();
    this.#show(index);
  }

  /** @param {1|-1} direction */
  #turn(direction) {
    const index = this.#index + direction;
    if (index >= 0 && index < this.grid.source.count) this.#show(index);
  }

  /** @param {number} index */
  async #show(index) {
    this.#clear();
    this.#index = index;
    // Not only when it closes: that event may come after the next key, which moves the active item.
    this.grid.setActive(index, true);
    const { signal } = this.#controller;
    const { source } = this.grid;
    byId('viewer-previous').toggleAttribute('disabled', index === 0);
    byId('viewer-next').toggleAttribute('disabled', index === source.count - 1);
    const item = source.item(index) ?? await source.load(index).catch((error) => this.#report('failed', error));
    if (signal.aborted || !item) return;
    this.#item = item;
    byId('viewer-title').textContent = this.words.label(item);
    this.#refresh();
    if (!this.facts.hidden) this.#showDetails(item, signal);
    if (item.status !== 'present') {
      this.note.textContent = this.words.text(item.status);
    } else if (item.type === 'video') {
      await this.#showVideo(item, signal, true);
    } else {
      this.liveButton.hidden = !isPlayable(item);
      await this.#showPicture(item, signal);
    }
  }

  /** @param {Item} item @param {AbortSignal} signal */
  async #showPicture(item, signal) {
    const image = new Image();
    image.alt = this.words.label(item);
    // The grid's thumbnail fills the time until the picture has arrived.
    image.src = this.thumbnails.address(item, this.grid.thumbnailSide);
    this.picture.append(image);
    const longest = Math.max(window.innerWidth, window.innerHeight) * window.devicePixelRatio;
    try {
      const blob = await this.api.blob(`images/${item.id}?side=${roundedSide(IMAGE_SIDES, longest)}&v=${item.revision}`, { signal });
      this.#objectUrl = URL.createObjectURL(blob);
      image.src = this.#objectUrl;
    } catch (error) {
      if (!signal.aborted) this.#report('pictureFailed', error);
    }
  }

  /** @param {Item} item @param {AbortSignal} signal @param {boolean} controls */
  async #showVideo(item, signal, controls) {
    try {
      const url = await this.clips.url(item.id, signal, (fraction) => {
        this.note.textContent = this.words.text('preparing', { percent: this.words.percents.format(fraction) });
      });
      if (signal.aborted) return;
      this.note.textContent = '';
      const video = document.createElement('video');
      Object.assign(video, { src: url, controls, playsInline: true, loop: !controls });
      video.setAttribute('aria-label', this.words.label(item));
      video.addEventListener('error', () => this.#report('videoFailed', new Error(video.error?.message || item.format)));
      this.picture.append(video);
      await video.play().catch(() => {});
    } catch (error) {
      if (!signal.aborted) this.#report('videoFailed', error);
    }
  }

  #toggleLive() {
    const plays = this.liveButton.getAttribute('aria-pressed') !== 'true';
    this.#stopClip();
    this.note.textContent = '';
    this.liveButton.setAttribute('aria-pressed', String(plays));
    if (plays && this.#item) this.#showVideo(this.#item, this.#clip.signal, false);
  }

  #stopClip() {
    this.#clip.abort();
    this.#clip = new AbortController();
    this.picture.querySelector('video')?.remove();
  }

  #toggleDetails() {
    this.facts.hidden = !this.facts.hidden;
    this.dialog.classList.toggle('with-facts', !this.facts.hidden);
    this.detailsButton.setAttribute('aria-expanded', String(!this.facts.hidden));
    if (!this.facts.hidden && this.#item) this.#showDetails(this.#item, this.#controller.signal);
  }

  /** @param {Item} item @param {AbortSignal} signal */
  async #showDetails(item, signal) {
    this.facts.textContent = this.words.text('loading');
    try {
      const details = await this.api.json(`details/${item.id}`, { signal });
      this.facts.replaceChildren(this.#factList(item, details), ...this.#evidence(details));
    } catch (error) {
      if (!signal.aborted) this.facts.textContent = this.words.text('failed', { message: /** @type {Error} */ (error).message });
    }
  }

  /** @param {Item} item @param {any} details */
  #factList(item, details) {
    const { words } = this;
    const rows = {
      name: details.name ?? item.name,
      title: item.title,
      caption: details.caption,
      date: words.date(item).join(words.text('listSeparator')),
      duration: item.duration === null ? null : words.duration(item.duration),
      dimensions: item.width ? `${item.width} × ${item.height}` : null,
      format: details.format ?? item.format,
      size: details.size === null ? null : words.size(details.size),
      camera: details.camera,
      location: words.text(details.hasLocation ? 'hasLocation' : 'hasNoLocation'),
    };
    const list = element('dl');
    for (const [name, value] of Object.entries(rows)) {
      if (!value) continue;
      const fact = element('dd', '', value);
      fact.dir = 'auto';
      list.append(element('dt', '', words.text(`facts.${name}`)), fact);
    }
    return list;
  }

  /** @param {any} details */
  #evidence(details) {
    if (!details.evidence?.length) return [];
    const list = element('dl');
    for (const { label, source } of details.evidence) {
      const key = `kinds.${label}`;
      list.append(element('dt', '', this.words.has(key) ? this.words.text(key) : label), element('dd', '', source));
    }
    return [element('h2', '', this.words.text('facts.evidence')), list];
  }

  #toggle() {
    const item = this.#item;
    if (!item) return;
    const isRefused = this.selection.isFull && this.selection.maximum > 1;
    if (this.selection.has(item.id) || (item.status === 'present' && !isRefused)) this.selection.toggle(item.id);
    else this.note.textContent = item.status === 'present' ? this.status.limitText : this.words.text(item.status);
  }

  #refresh() {
    const isSelected = this.#item !== null && this.selection.has(this.#item.id);
    this.selectButton.setAttribute('aria-pressed', String(isSelected));
    this.selectButton.textContent = this.words.text(isSelected ? 'selected' : 'select');
  }

  /** @param {string} key @param {any} error */
  #report(key, error) {
    this.note.textContent = this.words.text(key, { message: error.message });
  }

  #clear() {
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#stopClip();
    this.#item = null;
    this.picture.replaceChildren();
    this.facts.replaceChildren();
    this.note.textContent = '';
    this.liveButton.hidden = true;
    this.liveButton.setAttribute('aria-pressed', 'false');
    if (this.#objectUrl) URL.revokeObjectURL(this.#objectUrl);
    this.#objectUrl = null;
  }

  #closed() {
    // It may be open again when the event comes.
    if (/** @type {HTMLDialogElement} */ (this.dialog).open) return;
    this.#clear();
    this.grid.scroller.focus();
  }
}

/** The timeline at the right edge: drag, click or keys move through months and years. */
class Scrubber {
  /** Pixels between the marks of two years. */
  static MARK_DISTANCE = 22;

  /** @type {Layout|null} */
  #layout = null;
  #height = 0;

  /** @param {Grid} grid */
  constructor(grid) {
    this.grid = grid;
    this.root = byId('scrubber');
    this.thumb = byId('scrubber-thumb');
    this.years = byId('scrubber-years');
    this.bubble = byId('scrubber-bubble');
    this.root.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      this.root.setPointerCapture(event.pointerId);
      this.#drag(event);
    });
    this.root.addEventListener('pointermove', (event) => {
      if (event.buttons & 1) this.#drag(event);
      else this.#showBubble(this.#fraction(event));
    });
    this.root.addEventListener('pointerleave', () => this.#hideBubble());
    this.root.addEventListener('pointerup', () => this.#hideBubble());
    this.root.addEventListener('pointercancel', () => this.#hideBubble());
    this.root.addEventListener('blur', () => this.#hideBubble());
    this.root.addEventListener('keydown', (event) => this.#key(event));
    new ResizeObserver(() => {
      this.#height = this.root.clientHeight;
      this.#layout = null;
      this.update();
    }).observe(this.root);
  }

  /** Follows the grid. */
  update() {
    const { space, layout, source } = this.grid;
    this.root.hidden = space.maximum <= 0 || source.count === 0;
    if (this.root.hidden) return;
    if (layout !== this.#layout) this.#markYears();
    const fraction = space.top / space.maximum;
    this.thumb.style.transform = `translateY(${Math.round(fraction * this.#height)}px)`;
    const group = this.grid.visibleGroup;
    this.root.setAttribute('aria-valuemax', String(layout.groups.length - 1));
    this.root.setAttribute('aria-valuenow', String(group));
    this.root.setAttribute('aria-valuetext', layout.groups[group].label);
  }

  #markYears() {
    const { layout, space } = this.grid;
    this.#layout = layout;
    const marks = [];
    let lastYear = '';
    let lastY = -Infinity;
    for (const [position, { key }] of layout.groups.entries()) {
      const year = /^\d{4}/.exec(key)?.[0] ?? '';
      const y = Math.min(1, layout.tops[position] / space.maximum) * this.#height;
      if (year === '' || year === lastYear) continue;
      lastYear = year;
      if (y - lastY < Scrubber.MARK_DISTANCE || y > this.#height - 10) continue;
      lastY = y;
      const mark = element('span', 'year', year);
      mark.style.transform = `translateY(${Math.round(y)}px)`;
      marks.push(mark);
    }
    // A single year says nothing, and the thumb would cover it.
    this.years.replaceChildren(...(marks.length > 1 ? marks : []));
  }

  /** @param {PointerEvent} event */
  #fraction(event) {
    const { top, height } = this.root.getBoundingClientRect();
    return clamp((event.clientY - top) / height, 0, 1);
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    const fraction = this.#fraction(event);
    this.grid.space.scrollTo(fraction * this.grid.space.maximum);
    this.#showBubble(fraction);
  }

  /** @param {number} fraction */
  #showBubble(fraction) {
    const { layout, space } = this.grid;
    this.bubble.hidden = false;
    this.bubble.textContent = layout.groups[layout.groupAt(fraction * space.maximum + 1)].label;
    const { clientHeight } = this.bubble;
    const y = clamp(fraction * this.#height - clientHeight / 2, 0, this.#height - clientHeight);
    this.bubble.style.transform = `translateY(${Math.round(y)}px)`;
  }

  #hideBubble() {
    this.bubble.hidden = true;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { layout, space } = this.grid;
    const last = layout.groups.length - 1;
    const now = this.grid.visibleGroup;
    const year = layout.groups[now].key.slice(0, 4);
    const inOtherYear = layout.groups.map((group) => group.key.slice(0, 4) !== year);
    const nextYear = inOtherYear.indexOf(true, now);
    const steps = {
      ArrowUp: now - 1,
      ArrowLeft: now - 1,
      ArrowDown: now + 1,
      ArrowRight: now + 1,
      Home: 0,
      End: last,
      PageUp: inOtherYear.lastIndexOf(true, now),
      PageDown: nextYear < 0 ? last : nextYear,
    };
    const target = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (target === undefined) return;
    event.preventDefault();
    const group = clamp(target, 0, last);
    space.scrollTo(layout.tops[group]);
    this.#showBubble(Math.min(1, layout.tops[group] / space.maximum));
  }
}

/** A panel that a button opens; Escape and a click elsewhere close it. */
class Popover {
  /** @param {string} name The ids are `name`, `name-button` and `name-panel`. @param {() => void} opened */
  constructor(name, opened = () => {}) {
    this.button = byId(`${name}-button`);
    this.panel = byId(`${name}-panel`);
    const root = byId(name);
    this.button.addEventListener('click', () => {
      if (!this.panel.hidden) {
        this.close();
        return;
      }
      this.#setOpen(true);
      opened();
      /** @type {HTMLElement|null} */ (this.panel.querySelector('input'))?.focus();
    });
    root.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || this.panel.hidden) return;
      event.stopPropagation();
      this.close();
      this.button.focus();
    });
    root.addEventListener('focusout', (event) => {
      if (event.relatedTarget instanceof Node && !root.contains(event.relatedTarget)) this.close();
    });
    document.addEventListener('pointerdown', (event) => {
      if (event.target instanceof Node && !root.contains(event.target)) this.close();
    });
  }

  close() {
    this.#setOpen(false);
  }

  /** @param {boolean} isOpen */
  #setOpen(isOpen) {
    this.panel.hidden = !isOpen;
    this.button.setAttribute('aria-expanded', String(isOpen));
  }
}

/** Search, albums and chips: what narrows the library down. */
class Filters {
  static SEARCH_DELAY = 300;
  /** Albums listed at a time; the search field of the panel finds the others. */
  static ALBUMS = 100;

  query = new Query();
  /** @type {{name: string, count: number}[]|null} */
  #albums = null;
  #timer = 0;

  /** @param {Api} api @param {Words} words @param {any} session @param {() => void} changed */
  constructor(api, words, session, changed) {
    this.api = api;
    this.words = words;
    this.changed = changed;
    this.search = /** @type {HTMLInputElement} */ (byId('search'));
    const disabled = new Set(session.disabledCapabilities);
    this.query.search = session.searchText ?? '';
    this.search.value = this.query.search;
    if (!disabled.has('search')) this.#startSearch();
    if (!disabled.has('collectionNavigation')) {
      this.#startAlbums();
      this.#startChips();
    }
  }

  #startSearch() {
    this.search.hidden = false;
    const apply = () => {
      clearTimeout(this.#timer);
      const text = this.search.value.trim();
      if (text === this.query.search) return;
      this.query.search = text;
      this.changed();
    };
    this.search.addEventListener('input', () => {
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(apply, Filters.SEARCH_DELAY);
    });
    this.search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') apply();
      if (event.key !== 'Escape') return;
      this.search.value = '';
      apply();
    });
  }

  /** @param {boolean} isValid */
  markSearch(isValid) {
    this.search.setAttribute('aria-invalid', String(!isValid));
  }

  async #startChips() {
    // Chips are an extra: without them the library is complete.
    const { kinds } = await this.api.json('filters').catch(() => ({ kinds: [] }));
    const chips = kinds.map((/** @type {{name: string}} */ { name }) => {
      const key = `chips.${name}`;
      const chip = /** @type {HTMLButtonElement} */ (element('button', 'chip', this.words.has(key) ? this.words.text(key) : name));
      chip.type = 'button';
      chip.dataset.kind = name;
      chip.setAttribute('role', 'checkbox');
      chip.setAttribute('aria-checked', 'false');
      chip.addEventListener('click', () => {
        if (!this.query.kinds.delete(name)) this.query.kinds.add(name);
        chip.setAttribute('aria-checked', String(this.query.kinds.has(name)));
        this.changed();
      });
      return chip;
    });
    byId('chips').hidden = chips.length === 0;
    byId('chips').replaceChildren(...chips);
  }

  #startAlbums() {
    byId('albums').hidden = false;
    const find = /** @type {HTMLInputElement} */ (byId('albums-find'));
    this.popover = new Popover('albums', async () => {
      find.value = '';
      try {
        this.#albums ??= (await this.api.json('albums')).albums;
        this.#listAlbums('');
      } catch (error) {
        this.#noteAlbums(this.words.text('failed', { message: /** @type {Error} */ (error).message }));
      }
    });
    find.addEventListener('input', () => this.#listAlbums(find.value));
    // A click chooses and closes; arrow keys only choose.
    byId('albums-list').addEventListener('click', (event) => {
      if (event.detail > 0) this.popover?.close();
    });
  }

  /** @param {string} part */
  #listAlbums(part) {
    const wanted = part.trim().toLocaleLowerCase();
    const matches = (this.#albums ?? []).filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
    const choices = matches.slice(0, Filters.ALBUMS).map(({ name, count }) => this.#choice(name, name, this.words.numbers.format(count)));
    if (wanted === '') choices.unshift(this.#choice(null, this.words.text('allAlbums'), ''));
    byId('albums-list').replaceChildren(...choices);
    const rest = matches.length - Filters.ALBUMS;
    if (rest > 0) this.#noteAlbums(this.words.text('moreAlbums', { n: rest }));
    else this.#noteAlbums(matches.length > 0 ? '' : this.words.text('noAlbums'));
  }

  /** @param {string} text */
  #noteAlbums(text) {
    byId('albums-note').hidden = text === '';
    byId('albums-note').textContent = text;
  }

  /** @param {string|null} album @param {string} name @param {string} count */
  #choice(album, name, count) {
    const label = element('label', 'choice');
    const input = document.createElement('input');
    Object.assign(input, { type: 'radio', name: 'album', checked: this.query.album === album });
    input.addEventListener('change', () => {
      this.query.album = album;
      byId('albums-name').textContent = album ?? this.words.text('albums');
      this.changed();
    });
    const text = element('span', 'choice-name', name);
    text.dir = 'auto';
    label.append(input, text, element('span', 'choice-count', count));
    return label;
  }
}

/** The line that says how many items are selected, and for some seconds why something did not happen. */
class StatusLine {
  static SHOWN = 8000;

  #timer = 0;
  #standing = '';

  /** @param {Words} words @param {Selection} selection */
  constructor(words, selection) {
    this.words = words;
    this.selection = selection;
    this.root = byId('status');
    selection.addEventListener('change', () => this.rest());
    this.rest();
  }

  get limitText() {
    return this.words.text('limit', { n: this.selection.maximum });
  }

  /**
   * Reports a problem.
   * @param {string} text
   * @param {boolean} [stays] Until `settle`, instead of some seconds.
   */
  say(text, stays = false) {
    if (stays) this.#standing = text;
    this.#show(text, true);
    if (!stays) this.#timer = window.setTimeout(() => this.rest(), StatusLine.SHOWN);
  }

  /** @param {string} text Shown for some seconds. */
  inform(text) {
    this.#show(text, false);
    this.#timer = window.setTimeout(() => this.rest(), StatusLine.SHOWN);
  }

  /** The problem that stayed is solved. */
  settle() {
    this.#standing = '';
    this.rest();
  }

  /** Shows the problem that stays, or else the state of the selection. */
  rest() {
    const { count, limit } = this.selection;
    if (this.#standing) this.#show(this.#standing, true);
    else if (count === 0) this.#show(limit ? this.words.text('invite', { n: limit }) : this.words.text('inviteAny'), false);
    else if (limit > 1) this.#show(this.words.text('chosenOf', { n: count, limit }), false);
    else this.#show(this.words.text('chosen', { n: count }), false);
  }

  /** @param {string} text @param {boolean} isUrgent */
  #show(text, isUrgent) {
    clearTimeout(this.#timer);
    this.root.textContent = text;
    this.root.classList.toggle('urgent', isUrgent);
  }
}

/** What remains of the page when the session has ended. */
class LastView {
  isShown = false;
  /** Called once, to end what the page still does. */
  onShow = () => {};
  /** The sending of the person's own decision, which has its own words. @type {Promise<void>} */
  decision = Promise.resolve();

  /** @param {Words} words */
  constructor(words) {
    this.words = words;
  }

  /**
   * The server has ended the session, or refuses this browser. Other requests may learn that before the answer to the
   * person's decision arrives.
   * @param {ApiError} error
   */
  async showOver(error) {
    await this.decision;
    const reason = `over.${error.code === 410 ? error.reason : 'forbidden'}`;
    const message = this.words.has(reason) ? this.words.text(reason) : error.message;
    this.show(this.words.text('overTitle'), this.words.text('overText', { message }));
  }

  /** @param {string} title @param {string} text */
  show(title, text) {
    if (this.isShown) return;
    this.isShown = true;
    for (const dialog of document.querySelectorAll('dialog')) dialog.close();
    this.onShow();
    byId('picker').hidden = true;
    byId('over-title').textContent = title;
    byId('over-text').textContent = text;
    document.title = title;
    const over = byId('over');
    over.hidden = false;
    over.focus();
  }
}

/** The page as a whole: makes its parts and connects them. */
class App {
  #loading = new AbortController();
  /** Whether the status line has said that there are no previews. */
  #lacksPreviews = false;
  /** The timer for the end of the session's time. */
  #end = 0;
  /**
   * The library's view, while the selected items are shown instead.
   * @type {{source: Source, top: number}|null}
   */
  #libraryView = null;

  /**
   * @param {{api: Api, queue: RequestQueue, thumbnails: Thumbnails, words: Words, lastView: LastView}} services
   * @param {any} session
   */
  constructor({ api, queue, thumbnails, words, lastView }, session) {
    this.api = api;
    this.queue = queue;
    this.thumbnails = thumbnails;
    this.words = words;
    this.lastView = lastView;
    this.selection = new Selection(api, session);
    this.options = new Options(api, session.metadataOptions);
    this.status = new StatusLine(words, this.selection);
    const services = { api, queue, words, thumbnails, clips: new Clips(api), selection: this.selection, status: this.status };
    const nothing = new LibrarySource(services, new Query(), { count: 0, token: '', months: [] }, () => {});
    this.grid = new Grid(services, nothing);
    this.viewer = new Viewer(services, this.grid);
    this.preview = new Preview(services.clips);
    const allowsRanges = !session.disabledCapabilities.includes('selectionActions') && this.selection.maximum > 1;
    this.chooser = new Chooser(this.grid, this.status, { allowsRanges, open: (index) => this.#open(index) });
    new GridPointer(this.grid, this.chooser, this.preview);
    new GridKeys(this.grid, this.chooser, this.preview);
    this.scrubber = new Scrubber(this.grid);
    this.filters = new Filters(api, words, session, () => this.load());
    this.grid.onRender = () => this.#rendered();
    lastView.onShow = () => {
      this.preview.stop();
      this.grid.source.close();
    };
    this.#listen();
    this.#selectionChanged();
    this.#awaitEnd(session);
  }

  #listen() {
    const { selection, options, status, words, api, chooser } = this;
    byId('done').addEventListener('click', () => this.#decide('done'));
    byId('cancel').addEventListener('click', () => this.#decide('cancel'));
    byId('show-selected').addEventListener('click', () => this.#toggleSelectedView());
    const selectAll = byId('select-all');
    selectAll.hidden = !chooser.allowsRanges;
    selectAll.addEventListener('click', () => {
      if (selection.count > 0) chooser.deselectAll();
      else chooser.selectAll();
    });
    byId('help-button').addEventListener('click', () => this.#help());
    byId('grid').addEventListener('keydown', (event) => {
      if (event.key === '?') this.#help();
      if (event.key !== '/' || byId('search').hidden) return;
      event.preventDefault();
      byId('search').focus();
    });
    byId('grid').addEventListener('scroll', () => chooser.hover(undefined), { passive: true });
    selection.addEventListener('change', () => this.#selectionChanged());
    selection.addEventListener('refused', () => status.say(status.limitText));
    selection.addEventListener('left', (event) => {
      status.say(words.text('leftOut', { n: /** @type {CustomEvent} */ (event).detail }));
    });
    for (const source of [selection, options]) source.addEventListener('unreachable', (event) => {
      this.#report({ message: /** @type {CustomEvent} */ (event).detail });
    });
    selection.addEventListener('rollback', (event) => {
      status.say(words.text('rolledBack', { message: /** @type {CustomEvent} */ (event).detail }));
    });
    this.thumbnails.onUnavailable = (message) => {
      if (!this.#lacksPreviews) status.say(words.text('noPreviews', { message }));
      this.#lacksPreviews = true;
    };
    api.addEventListener('offline', () => status.say(words.text('offline'), true));
    api.addEventListener('online', () => {
      status.settle();
      status.inform(words.text('online'));
    });
    document.addEventListener('visibilitychange', () => this.#returned());
  }

  /** Asks for the session's state when the person comes back to the page: it may be over, or another window changed it. */
  #returned() {
    if (document.visibilityState === 'visible') this.#check();
  }

  /**
   * Asks for the session's state when its time should be over, so that an open page says so.
   * @param {any} session
   */
  #awaitEnd(session) {
    clearTimeout(this.#end);
    this.#end = window.setTimeout(() => this.#check(), 1000 * session.timeLeft + 500);
  }

  async #check() {
    if (this.lastView.isShown) return;
    const session = await this.api.json('session').catch(() => null);
    if (session) this.#adopt(session);
  }

  /**
   * Takes over what the server has of the choice.
   * @param {any} session
   */
  #adopt(session) {
    this.selection.refresh(session.selection);
    this.options.refresh(session.metadataOptions);
    this.#awaitEnd(session);
  }

  /**
   * Loads the library that the filters leave; keeps what is shown if the search text is wrong. A later call replaces this one.
   * @param {{library: Promise<any>, newest: Promise<Item[]>}} [requested] The whole library, if it is on its way already.
   */
  async load(requested) {
    const { filters, status, words } = this;
    this.#loading.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    try {
      const library = await (requested?.library ?? this.api.json(filters.query.address('library'), { signal }));
      const newest = await (requested?.newest ?? []);
      if (signal.aborted) return;
      filters.markSearch(true);
      this.#lacksPreviews = false;
      this.#showLibrary(library, newest);
      status.settle();
      if (filters.query.isNarrow) status.inform(words.text('found', { n: library.count }));
    } catch (error) {
      if (signal.aborted) return;
      filters.markSearch(/** @type {any} */ (error).code !== 400);
      if (/** @type {any} */ (error).code === 400) status.say(/** @type {Error} */ (error).message, true);
      else this.#report(error);
    }
  }

  /** @param {{count: number, token: string, months: Month[]}} library @param {Item[]} newest */
  #showLibrary(library, newest) {
    const { grid, words, filters } = this;
    this.#leaveSelectedView();
    const source = new LibrarySource({ api: this.api, queue: this.queue, words }, filters.query, library, () => grid.update());
    source.adopt(newest);
    this.#show(source);
    const empty = byId('empty');
    empty.hidden = source.count > 0;
    empty.textContent = words.text(filters.query.isNarrow ? 'nothingFound' : 'emptyLibrary');
  }

  /** @param {Source} source */
  #show(source) {
    this.preview.stop();
    this.chooser.reset();
    this.grid.show(source);
  }

  #toggleSelectedView() {
    const { grid, selection, words } = this;
    if (this.#libraryView) {
      const { source, top } = this.#libraryView;
      this.#leaveSelectedView();
      this.#show(source);
      grid.space.scrollTo(top);
    } else {
      this.#libraryView = { source: grid.source, top: grid.space.top };
      byId('show-selected').setAttribute('aria-pressed', 'true');
      this.#show(new SelectedSource({ api: this.api, queue: this.queue, words }, selection.ids, () => grid.update()));
    }
    this.#selectionChanged();
  }

  #leaveSelectedView() {
    this.#libraryView = null;
    byId('show-selected').setAttribute('aria-pressed', 'false');
  }

  #selectionChanged() {
    const { selection, words } = this;
    byId('done').toggleAttribute('disabled', selection.count === 0);
    byId('done-count').textContent = selection.count > 0 ? ` (${words.numbers.format(selection.count)})` : '';
    byId('show-selected').toggleAttribute('disabled', selection.count === 0 && !this.#libraryView);
    byId('show-selected').textContent = words.text('showSelected', { n: selection.count });
    byId('select-all').textContent = words.text(selection.count > 0 ? 'deselectAll' : 'selectAll');
  }

  /** Shows the month that the upper edge is in, once its heading has left. */
  #rendered() {
    const { grid, scrubber, preview } = this;
    scrubber.update();
    const label = byId('month');
    const group = grid.visibleGroup;
    label.hidden = grid.source.count === 0 || grid.space.top - grid.layout.tops[group] < 8;
    if (!label.hidden) label.textContent = grid.layout.groups[group].label;
    if (preview.tile && !preview.tile.element.isConnected) preview.stop();
  }

  /** @param {number} index */
  #open(index) {
    this.preview.stop();
    this.viewer.open(index);
  }

  #help() {
    /** @type {[string, string][]} */
    const keys = this.words.texts.keys;
    const rows = keys.flatMap(([key, meaning]) => [element('dt', '', key), element('dd', '', meaning)]);
    byId('help-keys').replaceChildren(...rows);
    /** @type {HTMLDialogElement} */ (byId('help')).showModal();
  }

  /** @param {'done'|'cancel'} how */
  #decide(how) {
    this.lastView.decision = this.#finish(how);
  }

  /** @param {'done'|'cancel'} how */
  async #finish(how) {
    const { selection, options, words } = this;
    const buttons = [byId('done'), byId('cancel')];
    const parts = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-choice]'));
    buttons.forEach((button) => button.setAttribute('disabled', ''));
    // What is sent is what the person sees now, however late the server receives it.
    parts.forEach((part) => { part.inert = true; });
    try {
      const before = { ids: selection.ids, options: options.values };
      await selection.settled();
      await options.settled();
      // A change was taken back meanwhile: the person decides about what is left.
      if (how === 'done' && !(selection.matches(before.ids) && options.matches(before.options))) return;
      // The server refuses what is not as the person sees it.
      const shown = { selection: selection.ids, ...options.values };
      await this.api.json(how, { body: how === 'done' ? shown : {} });
      const key = how === 'done' ? 'done' : 'cancelled';
      this.lastView.show(words.text(`${key}Title`), words.text(`${key}Text`));
      window.close();
    } catch (error) {
      const session = await this.api.json('session').catch(() => null);
      if (session) this.#adopt(session);
      this.#report(error);
    } finally {
      parts.forEach((part) => { part.inert = false; });
      byId('cancel').removeAttribute('disabled');
      this.#selectionChanged();
    }
  }

  /** @param {any} error */
  #report(error) {
    if (!this.lastView.isShown) this.status.say(this.words.text('failed', { message: error.message }) );
  }
}

/**
 * The newest items of the whole library, for the first screen; an empty list if they can't be had.
 * Their thumbnails are requested at once: the months need not be known for it.
 * @param {Api} api @param {Thumbnails} thumbnails @returns {Promise<Item[]>}
 */
async function newestItems(api, thumbnails) {
  try {
    const { items } = await api.json('items?offset=0&limit=120');
    const side = Grid.sideFor(byId('grid').clientWidth);
    items.slice(0, 40).forEach((/** @type {Item} */ item, /** @type {number} */ position) => {
      // As soon as there are tiles, theirs come first.
      if (item.status === 'present') thumbnails.show(new Image(), item, side, () => 1e6 + position, () => {});
    });
    return items;
  } catch {
    return [];
  }
}

/** Starts the page: all first requests leave together. */
async function start() {
  const api = new Api(new URL('api/', window.location.href));
  const queue = new RequestQueue(5);
  const thumbnails = new Thumbnails(api, queue);
  /** @type {Promise<ApiError>} */
  const over = new Promise((resolve) => {
    api.addEventListener('over', (event) => resolve(/** @type {CustomEvent} */ (event).detail), { once: true });
  });
  const loading = { session: api.json('session'), library: api.json('library'), newest: newestItems(api, thumbnails) };
  // Whichever fails first is reported below; the other rejection then has no other reader.
  Object.values(loading).forEach((request) => request.catch(() => {}));
  const words = await Words.load(api);
  document.documentElement.lang = words.language;
  words.fill(document);
  ApiError.words = words;
  const lastView = new LastView(words);
  over.then((error) => lastView.showOver(error));
  const session = await loading.session;
  document.title = session.title ?? words.text('pageTitle');
  byId('title').textContent = document.title;
  const app = new App({ api, queue, thumbnails, words, lastView }, session);
  await app.load(session.searchText ? undefined : loading);
}

start().catch((error) => {
  // An ended session has its own view.
  if (!(error instanceof ApiError && error.isOver)) byId('status').textContent = String(error.message);
});
