enum HTMLStyle {
  static let sheet: Markup = """
    :root {
      color-scheme: light dark;
      --text: #1a1c1e; --faint: #5c6370; --page: #f4f5f7; --card: #ffffff; --line: #d9dce1; --code: #eef0f3;
      --pass: #1a7f42; --fail: #c0262d; --skip: #8a919c; --inconclusive: #9a6700; --should: #2f5fb3;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --text: #e6e8eb; --faint: #a0a7b3; --page: #121417; --card: #1c1f24; --line: #343941; --code: #262a31;
        --pass: #4cc07a; --fail: #ff7b7b; --skip: #7d8590; --inconclusive: #e0aa3e; --should: #82aaf5;
      }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0 auto; padding: 1rem; max-width: 58rem; background: var(--page); color: var(--text);
      font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; -webkit-text-size-adjust: 100%;
    }
    h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; }
    h2 { margin: 2rem 0 .75rem; font-size: 1.2rem; }
    h3 { margin: .5rem 0; font-size: 1.05rem; line-height: 1.35; }
    p, ul, ol, dl { margin: .5rem 0; }
    ul, ol { padding-left: 1.25rem; }
    small, .kicker, .meta, .label, caption { color: var(--faint); font-size: .85rem; }
    .kicker { margin: 0; }
    .label { margin-bottom: 0; }
    .product { margin: .35rem 0; }
    nav { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0; }
    nav a {
      color: inherit; text-decoration: none; background: var(--card); border: 1px solid var(--line);
      border-radius: 1rem; padding: .3rem .8rem;
    }
    .rows ul { margin: 0; }
    code, pre { font: .85em/1.45 ui-monospace, monospace; }
    code { background: var(--code); padding: .1em .3em; border-radius: .25rem; }
    article, .rows, .scroll, section > dl, section > details, .facts {
      background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .75rem 1rem;
    }
    .facts { margin-top: .75rem; }
    article { margin: 0 0 1rem; border-left: .3rem solid var(--fail); }
    article.should { border-left-color: var(--should); }
    article.practice, article.unverified { border-left-color: var(--inconclusive); }
    section > details { margin: .5rem 0; }
    summary { cursor: pointer; padding: .25rem 0; }
    .meta { margin: 0; display: flex; flex-wrap: wrap; gap: .35rem .6rem; align-items: center; }
    .badge { border: 1px solid; border-radius: 1rem; padding: 0 .55rem; font-weight: 600; }
    .badge.must { color: var(--fail); }
    .badge.should { color: var(--should); }
    .badge.practice, .badge.unverified { color: var(--inconclusive); }
    dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem .9rem; }
    dt { color: var(--faint); }
    dd { margin: 0; }
    .verdict { font-size: 1.3rem; font-weight: 600; margin: 1rem 0 .5rem; }
    .verdict.pass { color: var(--pass); }
    .verdict.fail { color: var(--fail); }
    .counts { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
    .counts .pass b { color: var(--pass); }
    .counts .fail b { color: var(--fail); }
    .counts .inconclusive b { color: var(--inconclusive); }
    .bar { display: flex; height: .6rem; margin: .3rem 0; border-radius: .3rem; overflow: hidden; gap: 2px; }
    .bar i { min-width: .3rem; flex-basis: 0; }
    .bar .pass { background: var(--pass); }
    .bar .fail { background: var(--fail); }
    .bar .skip { background: var(--skip); opacity: .5; }
    .bar .inconclusive { background: var(--inconclusive); }
    table { border-collapse: collapse; width: 100%; }
    .rows { display: block; }
    .rows tbody { display: block; }
    .rows tr { display: grid; grid-template-columns: minmax(7rem, 13rem) minmax(0, 1fr); gap: .9rem; }
    .rows tr { padding: .35rem 0; }
    .rows tr + tr { border-top: 1px solid var(--line); }
    th { text-align: left; font-weight: 600; }
    .scroll { overflow-x: auto; margin: 0 0 1rem; overflow-wrap: normal; }
    .scroll table { width: auto; }
    .scroll th, .scroll td { padding: .25rem .6rem; border: 1px solid var(--line); font-size: .85rem; }
    .scroll th[scope="row"] { position: sticky; left: 0; background: var(--card); }
    caption { text-align: left; padding-bottom: .5rem; }
    .wire { list-style: none; padding: 0; }
    .wire li { margin: .5rem 0; padding-left: .6rem; border-left: .2rem solid var(--line); }
    .wire .sent { border-left-color: var(--should); }
    .wire .received { border-left-color: var(--pass); }
    .wire p, .wire .note { margin: 0; color: var(--faint); font-size: .85rem; }
    pre {
      margin: .25rem 0; padding: .5rem; max-height: 24rem; overflow: auto; white-space: pre-wrap;
      background: var(--code); border-radius: .35rem;
    }
    footer { margin-top: 2rem; border-top: 1px solid var(--line); color: var(--faint); }
    @media (max-width: 30rem) {
      article dl, .facts dl, section > dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
      article dd, .facts dd, section > dl dd { margin-bottom: .4rem; }
      .rows tr { grid-template-columns: minmax(0, 1fr); gap: 0; }
    }
    @media print { details { display: block; } pre { max-height: none; } }
    """
}
