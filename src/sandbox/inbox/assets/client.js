// Keeps pages up to date, copies, and adds keyboard shortcuts. Pages work without it: every view has a URL.

if (document.querySelector('[data-renew]') !== null) keepCurrent();
enableCopying();
enableKeys();
fitFrame();
// In a narrow window, scrolls the navigation to the current link.
for (const link of document.querySelectorAll('nav [aria-current]')) {
  link.parentElement.scrollLeft = link.offsetLeft - link.parentElement.offsetLeft - 40;
}

/** Fetches changes periodically. */
function keepCurrent() {
  const pause = 1500;
  const mail = document.querySelector('[data-updates]');
  const unread = document.getElementById('unread');
  const title = unread.hasChildNodes() ? document.title.replace(/^\S+ /, '') : document.title;
  setTimeout(ask, pause);

  async function ask() {
    try {
      // In a hidden page, only new messages matter.
      if (mail !== null || !document.hidden) await update();
    } catch {
      // The sandbox was stopped, and may be restarted soon.
    }
    setTimeout(ask, pause);
  }

  async function update() {
    const response = await fetch(mail?.dataset.updates ?? location.href);
    if (!response.ok) return;
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const shown of document.querySelectorAll('[data-renew], #unread')) {
      renew(shown, fresh.getElementById(shown.id));
    }
    document.title = unread.hasChildNodes() ? `(${unread.firstChild.data}) ${title}` : title;
    const arrived = mail === null ? 0 : updateRows(fresh.getElementById('rows'));
    if (arrived === 0) return;
    const words = arrived === 1 ? '1 new message' : `${arrived} new messages`;
    document.getElementById('news').textContent = words;
  }
}

/** Replaces `shown` by `fresh`, unless its text is selected. A focused link keeps the focus. */
function renew(shown, fresh) {
  if (!fresh || fresh.innerHTML === shown.innerHTML) return;
  const selection = getSelection();
  if (!selection.isCollapsed && selection.containsNode(shown, true)) return;
  const { activeElement } = document;
  const link = shown.contains(activeElement)
    ? fresh.querySelector(
        activeElement.id === ''
          ? `a[href="${CSS.escape(activeElement.getAttribute('href') ?? '')}"]`
          : `#${activeElement.id}`,
      )
    : null;
  shown.replaceChildren(...fresh.childNodes);
  link?.focus();
}

/** Updates the list but keeps the elements of rows that stay. Returns how many are new. */
function updateRows(fresh) {
  const rows = document.getElementById('rows');
  const here = new Map([...rows.children].map((row) => [row.id, row]));
  const wasEmpty = here.size === 0;
  let arrived = 0;
  let last = null;
  const [newest] = fresh.children;
  for (const row of [...fresh.children]) {
    const known = here.get(row.id);
    here.delete(row.id);
    if (known === undefined) {
      if (last === null) rows.prepend(row);
      else last.after(row);
      arrived++;
    } else {
      const parts = row.querySelectorAll('[data-live]');
      known.querySelectorAll('[data-live]').forEach((part, at) => {
        renew(part, parts[at]);
      });
    }
    last = known ?? row;
  }
  for (const row of here.values()) {
    const isUsed = row.contains(document.activeElement) || row.querySelector('[aria-current]');
    if (!isUsed) row.remove();
  }
  // Older messages that move up when others are deleted are not new.
  return wasEmpty || newest === rows.firstElementChild ? arrived : 0;
}

function enableCopying() {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest('button.copy') : null;
    if (button === null) return;
    try {
      const text = button
        .closest('[data-copyable]')
        .querySelector('.selectable, .copied').textContent;
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      // Copying is not allowed, or the page has neither HTTPS nor loopback. The text can still be selected.
      button.textContent = 'Not allowed';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
}

/** Shrinks a message that is wider than the window, and notes that. */
function fitFrame() {
  const frame = document.querySelector('.paper');
  if (frame === null) return;
  const stage = frame.parentElement;
  new ResizeObserver(() => {
    const scale = Math.min(1, stage.clientWidth / frame.dataset.least);
    const isSmall = scale < 1;
    frame.style.width = isSmall ? `${frame.dataset.least}px` : '';
    frame.style.height = isSmall ? `${100 / scale}%` : '';
    frame.style.transform = isSmall ? `scale(${scale})` : '';
    stage.style.overflow = isSmall ? 'hidden' : '';
    const note = isSmall ? `shown at ${Math.round(scale * 100)} %` : '';
    document.getElementById('scale').textContent = note;
  }).observe(stage);
}

/**
 * `/` focuses the search, Escape leaves it; j and k, or arrows, move through the list; `?` shows the keys.
 */
function enableKeys() {
  const steps = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
  const rows = () => [...document.querySelectorAll('#rows a')];

  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    const isTyping = target instanceof Element && target.matches('input, select, textarea');
    // Escape closes a dialog first.
    if (document.querySelector(':popover-open') !== null) return;
    if (key === 'Escape') leaveSearch(target);
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === '?') {
      document.getElementById('keys').showPopover();
    } else if (key === '/') {
      const search = document.getElementById('q');
      if (search === null) return;
      event.preventDefault();
      search.focus();
    } else if (Object.hasOwn(steps, key)) {
      const all = rows();
      const at = all.indexOf(document.activeElement);
      // Outside the list, arrows scroll.
      if (key.startsWith('Arrow') && at === -1) return;
      const open = all.findIndex((row) => row.hasAttribute('aria-current'));
      const next = at === -1 ? Math.max(open, 0) : at + steps[key];
      if (all[next] === undefined) return;
      event.preventDefault();
      all[next].focus();
    }
  });

  // Keeps the position in the list when a message is opened from it.
  const list = document.querySelector('.list');
  if (list === null) return;
  const place = 'list-place';
  const kept = JSON.parse(sessionStorage.getItem(place) ?? 'null');
  sessionStorage.removeItem(place);
  const open = document.querySelector('#rows a[aria-current]');
  if (kept !== null && open?.pathname === kept.path) {
    list.scrollTop = kept.top;
    if (kept.byKey) open.focus({ preventScroll: true });
  } else {
    open?.scrollIntoView({ block: 'nearest' });
  }
  list.addEventListener('click', ({ target, detail }) => {
    const row = target instanceof Element ? target.closest('#rows a') : null;
    if (row === null) return;
    // A click by keyboard has a `detail` of 0.
    const left = { path: row.pathname, top: list.scrollTop, byKey: detail === 0 };
    sessionStorage.setItem(place, JSON.stringify(left));
  });
}

/** Shows the same page without its search; if there is no search, only leaves the field. */
function leaveSearch(field) {
  const url = new URL(location.href);
  if (url.searchParams.has('q')) {
    for (const name of ['q', 'before', 'after', 'page']) url.searchParams.delete(name);
    location.assign(url);
  } else if (field.id === 'q') {
    field.value = '';
    field.blur();
  }
}
